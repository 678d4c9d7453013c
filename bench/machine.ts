import { isRoot, missingPackages } from '../src/app/demo/machine.ts';
import type { HostLayer } from '../src/app/demo/world.ts';
import type { CsiClient } from '../src/rpc/csi-client.ts';
import { Samples } from './samples.ts';
import { NEEDS_ROOT } from './table.ts';
import type { Workshop } from './workshop.ts';

export const NODE_ID = 'bench-node';

/** A controller and a node, each a process, with a pool in a plain folder. */
export interface Machine {
  readonly host: HostLayer;
  /** Where staging and pod paths are. */
  readonly folder: string;
  readonly controller: CsiClient['controller'];
  readonly node: CsiClient['node'];
  /** The node's metrics. */
  metrics(): Promise<Samples>;
  stop(): Promise<void>;
}

export async function startMachine(workshop: Workshop, name: string, host: HostLayer): Promise<Machine> {
  const folder = await workshop.makeFolder(name);
  const attachDir = { 'attach-dir': `${folder}/attach` };
  const node = await workshop.start('node', folder, {
    ...attachDir,
    host,
    'node-id': NODE_ID,
    'state-dir': `${folder}/state`,
    // The sweep makes host calls of its own; it must not come between.
    'sweep-interval-seconds': '3600',
  });
  const controller = await workshop.start('controller', folder, {
    ...attachDir,
    'pool-dir': `${folder}/pool`,
  });
  return {
    host,
    folder,
    controller: controller.controller,
    node: node.node,
    metrics: async () => new Samples(await node.process.metrics()),
    stop: async () => {
      await node.stop();
      await controller.stop();
    },
  };
}

/** Why the Linux host cannot run here; `undefined` when it can. */
export async function linuxObstacle(): Promise<string | undefined> {
  if (!isRoot()) return NEEDS_ROOT;
  const missing = await missingPackages();
  return missing.length === 0 ? undefined : `not run: needs ${missing.join(', ')}`;
}
