import type { Topology } from '../core/topology.ts';

/** The one topology segment of this driver: disks of a zone can be reached by the nodes of that zone. */
export const zoneTopology = (driverName: string, zone: string): Topology => ({
  [`topology.${driverName}/zone`]: zone,
});
