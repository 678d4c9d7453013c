import { linuxUnderTest } from '../../support/linux-under-test.ts';
import { describeWhere, LINUX_HOST } from '../../support/requires.ts';
import { describeNodeLife } from './node-life.ts';

describeWhere(LINUX_HOST, 'hosts/linux', () => {
  describeNodeLife('Linux', linuxUnderTest);
});
