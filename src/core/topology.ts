/** A place in the cluster as CSI names it: segment key to value, `topology.ntfs.csi.io/zone` to `local`. */
export type Topology = Readonly<Record<string, string>>;

/** CSI's TopologyRequirement. */
export interface TopologyRequirement {
  readonly requisite: readonly Topology[];
  readonly preferred: readonly Topology[];
}

/**
 * Whether a place lies within ours: it carries every segment of ours with the same value. A broader place does
 * not, because part of it may be unable to reach our disks.
 */
export function liesWithin(place: Topology, ours: Topology): boolean {
  return Object.entries(ours).every(([key, value]) => place[key] === value);
}

/**
 * Whether volumes of ours satisfy a requirement: one of the requisite places, or when there are none one of the
 * preferred places, lies within ours (CSI spec, CreateVolume, TopologyRequirement). Nothing asked is satisfied.
 */
export function satisfies(requirement: TopologyRequirement, ours: Topology): boolean {
  const places = requirement.requisite.length > 0 ? requirement.requisite : requirement.preferred;
  return places.length === 0 || places.some((place) => liesWithin(place, ours));
}

/** `zone=local, rack=3` for messages. */
export function topologyText(place: Topology): string {
  const segments = Object.entries(place).map(([key, value]) => `${key}=${value}`);
  return segments.length === 0 ? '(no segments)' : segments.join(', ');
}
