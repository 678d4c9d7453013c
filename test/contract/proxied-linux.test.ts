import { linuxUnderTest } from '../support/linux-under-test.ts';
import { ProxiedHost } from '../support/proxied-host.ts';
import { describeWhere, LINUX_HOST } from '../support/requires.ts';
import { describeHostStorage } from './host-storage.contract.ts';

const OFFERS = [
  { versions: 'v1,v2alpha1', era: '1.3', sanPolicy: 'offline' },
  { versions: 'v1beta3', era: '1.3', sanPolicy: 'offline' },
  { versions: 'v1beta2', era: '1.2', sanPolicy: 'offline' },
  { versions: 'v1beta1', era: '1.2', sanPolicy: 'online' },
  { versions: 'v1alpha1', era: '1.2', sanPolicy: 'online' },
] as const;

describeWhere(LINUX_HOST, 'hosts/linux through CSI Proxy', () => {
  for (const { versions, era, sanPolicy } of OFFERS) {
    describeHostStorage(`Linux through CSI Proxy ${versions} of era ${era}`, async () =>
      ProxiedHost.create(await linuxUnderTest(sanPolicy), { versions, era }),
    );
  }
});
