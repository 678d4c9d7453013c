import { API_GROUPS } from '../../proxyapi/api-versions.ts';
import type { Offer } from '../offer.ts';

/** What node and proxy agreed on, and what that version of each group costs. `inUse`: by the node's own word. */
export function versionLines(inUse: ReadonlyMap<string, string>, offer: Offer): readonly string[] {
  const used = API_GROUPS.filter((group) => inUse.has(group));
  const unused = API_GROUPS.filter((group) => !inUse.has(group));
  const names = used.map((group) => `${group} ${inUse.get(group) ?? ''}`);
  const costs = used.flatMap((group) =>
    offer.costsOf(group).map((cost) => `– ${offer.nameOf(group)}: ${cost}`),
  );
  return [
    `\nVersions of CSI Proxy's API that the node agreed on: ${names.join(', ')}.`,
    ...(unused.length === 0 ? [] : [`Not asked for: ${unused.join(', ')}.`]),
    ...(costs.length === 0 ? [] : ['What these versions cannot do, and what that costs:', ...costs]),
  ];
}
