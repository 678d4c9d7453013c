import type { ProxyHostOptions } from '../../../src/proxyclient/proxy-host-storage.ts';
import type { NodeDeps } from '../../../src/node/node-deps.ts';
import type { SanPolicy } from '../../../src/hosts/san-policy.ts';
import { type Offer, ProxiedHost, type ProxiedOptions } from '../../support/proxied-host.ts';
import { RealNode } from '../../support/real-node.ts';
import { simulatedHost } from '../../support/simulated-host.ts';
import { DISK_BYTES } from '../node/node-life.ts';

/** What each version of the API is served as, and how disks arrive on machines of its time. */
export const EVERY_VERSION: readonly (Offer & { readonly sanPolicy: SanPolicy })[] = [
  { versions: 'v1', era: '1.3', sanPolicy: 'offline' },
  { versions: 'v1', era: '1.2', sanPolicy: 'offline' },
  { versions: 'v1beta3', era: '1.3', sanPolicy: 'offline' },
  { versions: 'v1beta2', era: '1.2', sanPolicy: 'offline' },
  { versions: 'v1beta1', era: '1.2', sanPolicy: 'online' },
  { versions: 'v1alpha1', era: '1.2', sanPolicy: 'online' },
];

export interface ProxiedNode {
  readonly proxied: ProxiedHost;
  readonly node: RealNode;
}

export interface ProxiedNodeOptions extends Partial<NodeDeps> {
  readonly sanPolicy?: SanPolicy;
  readonly client?: Partial<ProxyHostOptions> & ProxiedOptions;
}

/** A node over the simulated host behind a server; the caller cleans `proxied` up. */
export async function proxiedNode(
  offer: Offer,
  { sanPolicy = 'offline', client = {}, ...extraDeps }: ProxiedNodeOptions = {},
): Promise<ProxiedNode> {
  const proxied = await ProxiedHost.create(await simulatedHost(sanPolicy), offer, client);
  return {
    proxied,
    node: await RealNode.create(proxied, DISK_BYTES, { kubelet: proxied.kubelet, ...extraDeps }),
  };
}
