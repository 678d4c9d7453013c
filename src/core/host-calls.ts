import type { HostStorage } from './ports/host-storage.ts';

/** One call of a HostStorage: `volume` `mountVolume`. */
export interface HostCall {
  readonly group: 'disk' | 'volume' | 'filesystem' | 'smb' | 'iscsi' | 'system';
  readonly method: string;
}

/** Runs around every host call: to count, time, delay or break it. Must return what `run` returns. */
export type AroundHostCall = <Result>(call: HostCall, run: () => Promise<Result>) => Promise<Result>;

/** The same host with `around` run around every call of its groups. */
export function aroundHostCalls(host: HostStorage, around: AroundHostCall): HostStorage {
  return {
    disks: aroundGroup('disk', host.disks, around),
    volumes: aroundGroup('volume', host.volumes, around),
    files: aroundGroup('filesystem', host.files, around),
    smb: aroundGroup('smb', host.smb, around),
    iscsi: aroundGroup('iscsi', host.iscsi, around),
    system: aroundGroup('system', host.system, around),
    maxVolumes: host.maxVolumes,
    capabilities: (signal) => host.capabilities(signal),
    readiness: (signal) => host.readiness(signal),
  };
}

type AsyncMethod = (...args: unknown[]) => Promise<unknown>;

function aroundGroup<Group extends object>(
  group: HostCall['group'],
  target: Group,
  around: AroundHostCall,
): Group {
  return new Proxy(target, {
    get(object, property): unknown {
      const value: unknown = Reflect.get(object, property);
      if (typeof value !== 'function' || typeof property !== 'string') return value;
      const method = value as AsyncMethod;
      return (...args: unknown[]) => around({ group, method: property }, () => method.apply(object, args));
    },
  });
}
