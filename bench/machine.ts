import { isRoot, missingPackages } from '../src/app/demo/machine.ts';
import type { HostLayer } from '../src/app/demo/world.ts';
import type { CsiClient } from '../src/rpc/csi-client.ts';
import type { MetricSamples } from '../src/telemetry/metric-samples.ts';
import { NEEDS_ROOT } from './table.ts';
import type { RunningProxy, Workshop } from './workshop.ts';

export const NODE_ID = 'bench-node';

/** A controller and a node, each a process, with a pool in a plain folder. */
export interface Machine {
  readonly host: HostLayer;
  /** Where staging and pod paths are. */
  readonly folder: string;
  readonly controller: CsiClient['controller'];
  readonly node: CsiClient['node'];
  /** The node's metrics. */
  metrics(): Promise<MetricSamples>;
  /** Calls made so far: those of the node to its host, or those that the proxy in between has answered. */
  hostCalls(): Promise<number>;
  stop(): Promise<void>;
}

export interface MachineOptions {
  readonly host: HostLayer;
  /** The host is served by a CSI Proxy of its own process, and the node works through that. */
  readonly throughProxy?: boolean;
}

export async function startMachine(
  workshop: Workshop,
  name: string,
  { host, throughProxy = false }: MachineOptions,
): Promise<Machine> {
  const folder = await workshop.makeFolder(name);
  const attach = { 'attach-dir': `${folder}/attach` };
  const ofNode = { ...attach, 'node-id': NODE_ID };
  const windowsFolder = `C:${folder.replaceAll('/', '\\')}`;
  const ofProxy = { ...ofNode, host, 'kubelet-path': windowsFolder, 'state-dir': `${folder}/proxy` };
  const proxy = throughProxy ? await workshop.startProxy(folder, ofProxy) : undefined;
  const node = await workshop.start('node', folder, {
    ...ofNode,
    ...hostFlags(host, proxy),
    'kubelet-path': windowsFolder,
    'state-dir': `${folder}/state`,
    // The sweep makes host calls of its own; it must not come between.
    'sweep-interval-seconds': '3600',
  });
  const controller = await workshop.start('controller', folder, { ...attach, 'pool-dir': `${folder}/pool` });
  return {
    host,
    folder,
    controller: controller.controller,
    node: node.node,
    metrics: () => node.process.metrics(),
    hostCalls: async () =>
      proxy === undefined
        ? (await node.process.metrics()).sum('csi_ntfs_host_calls_total')
        : (await proxy.process.metrics()).sum('csi_ntfs_proxy_server_calls_total'),
    stop: async () => {
      await node.stop();
      await proxy?.stop();
      await controller.stop();
    },
  };
}

const hostFlags = (host: HostLayer, proxy: RunningProxy | undefined): Readonly<Record<string, string>> =>
  proxy === undefined ? { host } : { host: 'proxy', 'pipe-dir': proxy.pipeDir };

/** Why the Linux host cannot run here; `undefined` when it can. */
export async function linuxObstacle(): Promise<string | undefined> {
  if (!isRoot()) return NEEDS_ROOT;
  const missing = await missingPackages();
  return missing.length === 0 ? undefined : `not run: needs ${missing.join(', ')}`;
}
