import { StorageError } from '../core/errors.ts';
import type { ApiGroup, ApiVersion } from '../proxyapi/api-versions.ts';
import type { PipeFault, PipeTransport, PipeUnusable } from './pipe-transport.ts';

/** Why a group cannot be used now: what was tried and found, and what a person does about it. */
export class NoVersion extends StorageError {
  readonly fault: PipeFault;
  readonly reason: string;
  readonly mend: string;

  constructor(fault: PipeFault, reason: string, mend: string, options?: { readonly cause?: unknown }) {
    super('unavailable', `${reason}; ${mend}`, options);
    this.name = 'NoVersion';
    this.fault = fault;
    this.reason = reason;
    this.mend = mend;
  }
}

/** None of the versions has a pipe. `versions`: newest first. */
export function noPipe(
  group: ApiGroup,
  versions: readonly ApiVersion[],
  transport: PipeTransport,
): NoVersion {
  const [newest = 'v1', ...older] = versions;
  const where = transport.address({ group, version: newest });
  const others = older.length > 0 ? ` and for ${older.join(', ')} beside it` : '';
  return new NoVersion(
    'absent',
    `no CSI Proxy offers its ${group} API: looked for ${where}${others}`,
    'install or start the service csiproxy on the node, and mount its pipes in the DaemonSet (hostPath)',
  );
}

/** A pipe that is there and cannot be used. */
export function unusablePipe(address: string, error: PipeUnusable): NoVersion {
  const { fault, message } = error;
  const reason = `CSI Proxy cannot be used at ${address}: ${message}`;
  return new NoVersion(fault, reason, MENDS[fault], { cause: error });
}

const MENDS: Readonly<Record<PipeFault, string>> = {
  absent: 'start the service csiproxy on the node',
  busy: 'wait; when it lasts, look which processes hold connections to CSI Proxy',
  stalled: 'restart the service csiproxy on the node: it accepts connections and is stuck',
  broken: 'look in the log of the service csiproxy, and whether this process may open its pipes',
};
