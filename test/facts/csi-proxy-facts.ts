import table from './csi-proxy.json' with { type: 'json' };
import type { PackageFacts } from './csi-facts.ts';

/** Every name, number, type and rpc of CSI Proxy by group and version, kept apart from our protos. */
export const csiProxyFacts: Readonly<Record<string, Readonly<Record<string, PackageFacts>>>> = table;
