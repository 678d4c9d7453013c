import { diskByPage83 } from '../core/disk-by-page83.ts';
import { StorageError } from '../core/errors.ts';
import type { DiskNumber } from '../core/ids.ts';
import type { DiskIds, HostDisks, HostFiles, HostStorage } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { ApiGroup, ApiVersion } from '../proxyapi/api-versions.ts';
import type { NegotiationObserver } from '../proxyapi/call-observer.ts';
import { pathContextOf } from '../proxyapi/path-context.ts';
import type { GroupPorts } from '../proxyapi/rpc-codec.ts';
import { Slots } from '../util/slots.ts';
import { CALL_CLASSES } from './call-classes.ts';
import { codecIfAny } from './codec-for.ts';
import { FreshAnswers } from './fresh-answers.ts';
import { Negotiations } from './negotiations.ts';
import type { PipeTransport } from './pipe-transport.ts';
import { ProxyCalls } from './proxy-calls.ts';
import { proxyCapabilities } from './proxy-capabilities.ts';
import { proxyReadiness } from './proxy-readiness.ts';
import { windowsPath } from './windows-path.ts';

export interface ProxyHostDeps {
  readonly log: Logger;
  readonly transport: PipeTransport;
  readonly observer: NegotiationObserver;
  /** Whether a path of the host is a plain file, when this process can see the host's file system. */
  readonly isPlainFile?: (path: string) => Promise<boolean>;
  /** 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
  /** Milliseconds that only go forward. Default: `performance.now`. */
  readonly now?: () => number;
}

export interface ProxyHostOptions {
  /** Calls that may be under way at once: up to 1.2 each storage call of the server is a PowerShell. */
  readonly concurrency: number;
  /** How long a call of the file system may take. */
  readonly fileTimeoutSeconds: number;
  /** How long any other question may take. */
  readonly readTimeoutSeconds: number;
  /** When a change of a disk, volume, share, session or service is overdue. */
  readonly storageTimeoutSeconds: number;
  /** The kubelet's folder on the host: servers before 1.0 want to know which of its roots a path is below. */
  readonly kubeletPath: string;
  /** True: this process can `statfs` a staged path itself and gets the volume's numbers. */
  readonly localStat: boolean;
  readonly maxVolumes: number;
}

export interface ProxyHostStorage extends HostStorage {
  /** The version of each group that is agreed on now; `undefined` while there is none, or nobody needed it yet. */
  negotiated(): ReadonlyMap<ApiGroup, ApiVersion | undefined>;
  /** Ends the connections. Calls under way may still be answered, others are `unavailable`. */
  close(): void;
}

/** The storage of a Windows node through its CSI Proxy, whatever version that speaks. Connects when first needed. */
export function proxyHostStorage(deps: ProxyHostDeps, options: ProxyHostOptions): ProxyHostStorage {
  const { log, transport, observer, random = Math.random, now = () => performance.now() } = deps;
  const negotiations = new Negotiations({ log, transport, observer, chances: { random, now } });
  const calls = new ProxyCalls(
    { log, negotiations, observer, now, slots: new Slots(options.concurrency) },
    {
      timeoutMs: {
        file: options.fileTimeoutSeconds * 1000,
        read: options.readTimeoutSeconds * 1000,
        storage: options.storageTimeoutSeconds * 1000,
      },
      codecs: { pathContextOf: pathContextOf(windowsPath(options.kubeletPath)) },
    },
  );
  return {
    disks: disksThrough(calls, negotiations),
    volumes: groupThrough(calls, 'volume'),
    files: filesThrough(calls, deps.isPlainFile),
    smb: groupThrough(calls, 'smb'),
    iscsi: groupThrough(calls, 'iscsi'),
    system: groupThrough(calls, 'system'),
    maxVolumes: options.maxVolumes,
    capabilities: (signal) => proxyCapabilities(negotiations, options.localStat, signal),
    readiness: (signal) => proxyReadiness(negotiations, signal),
    negotiated: () => negotiations.versions(),
    close: () => {
      negotiations.close();
    },
  };
}

/** Every method of a port as a call of the same name. */
function groupThrough<Group extends ApiGroup>(calls: ProxyCalls, group: Group): GroupPorts[Group] {
  const methods = Object.keys(CALL_CLASSES[group]).map((method) => [
    method,
    (...args: [...unknown[], AbortSignal]) =>
      calls.call(group, method, args.slice(0, -1), args.at(-1) as AbortSignal),
  ]);
  return Object.fromEntries(methods) as GroupPorts[Group];
}

function disksThrough(calls: ProxyCalls, negotiations: Negotiations): HostDisks {
  const disks = groupThrough(calls, 'disk');
  const ids = new FreshAnswers<ReadonlyMap<DiskNumber, DiskIds>>('ListDiskIDs', (signal) =>
    disks.listDiskIds(signal),
  );
  return {
    ...disks,
    listDiskIds: (signal) => ids.get(signal),
    /** Only the oldest version has it; in the others the table of all ids tells. */
    getDiskNumberByPage83: async (page83, signal) => {
      const session = await negotiations.session('disk', signal);
      return codecIfAny(session, 'getDiskNumberByPage83') === undefined
        ? diskByPage83(await ids.get(signal), page83)
        : disks.getDiskNumberByPage83(page83, signal);
    },
  };
}

/** CSI Proxy removes a plain file where the port removes only what leads elsewhere or is empty (law 4). */
function filesThrough(calls: ProxyCalls, isPlainFile: ProxyHostDeps['isPlainFile']): HostFiles {
  const files = groupThrough(calls, 'filesystem');
  if (isPlainFile === undefined) return files;
  return {
    ...files,
    rmdir: async (path, force, signal) => {
      if (!force && (await isPlainFile(path))) {
        const text = `cannot remove ${path}: it is a file, not a directory: look at it, remove it when it is not needed`;
        throw new StorageError('failed-precondition', text);
      }
      await files.rmdir(path, force, signal);
    },
  };
}
