import { linuxUnderTest } from '../support/linux-under-test.ts';
import { describeWhere, LINUX_HOST } from '../support/requires.ts';
import { describeHostStorage } from './host-storage.contract.ts';

describeWhere(LINUX_HOST, 'hosts/linux', () => {
  describeHostStorage('linux', () => linuxUnderTest());
  describeHostStorage('linux, disks arrive online', () => linuxUnderTest('online'));
});
