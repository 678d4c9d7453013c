import { ProxiedHost } from '../support/proxied-host.ts';
import { simulatedHost } from '../support/simulated-host.ts';
import { describeHostStorage } from './host-storage.contract.ts';

/** Before v1beta2 nobody can take a disk online through CSI Proxy, so on such machines they arrive so. */
const OFFERS = [
  { versions: 'v1,v2alpha1', era: '1.3', sanPolicy: 'offline' },
  { versions: 'v1,v2alpha1', era: '1.2', sanPolicy: 'offline' },
  { versions: 'v1', era: '1.3', sanPolicy: 'offline' },
  { versions: 'v1beta3', era: '1.3', sanPolicy: 'offline' },
  { versions: 'v1beta2', era: '1.2', sanPolicy: 'offline' },
  { versions: 'v1beta1', era: '1.2', sanPolicy: 'online' },
  { versions: 'v1alpha1', era: '1.2', sanPolicy: 'online' },
] as const;

for (const { versions, era, sanPolicy } of OFFERS) {
  describeHostStorage(`simulated through CSI Proxy ${versions} of era ${era}`, async () =>
    ProxiedHost.create(await simulatedHost(sanPolicy), { versions, era }),
  );
}
