import type { ApiGroup, ApiVersion, Pipe } from '../proxyapi/api-versions.ts';
import { sleep } from '../util/sleep.ts';
import { noPipe, unusablePipe } from './no-version.ts';
import { type PipeConnection, type PipeTransport, PipeUnusable } from './pipe-transport.ts';

/** What client and server have agreed on, as long as its connection lives. */
export interface Session extends Pipe {
  readonly connection: PipeConnection;
}

export interface LookDeps {
  readonly transport: PipeTransport;
  /** 0 ≤ n < 1. */
  readonly random: () => number;
}

/** A busy pipe is free again soon. */
const BUSY_TRIES = 5;
const BUSY_PAUSE_MS = 50;

/**
 * Connects to the first of these versions that has a pipe. Only a pipe that is not there leads to the next one: any
 * other fault is the server's, whatever the version. Throws `NoVersion`; the signal's reason when that comes first.
 */
export async function newestSession(
  deps: LookDeps,
  group: ApiGroup,
  versions: readonly ApiVersion[],
  signal: AbortSignal,
): Promise<Session> {
  for (const version of versions) {
    const pipe: Pipe = { group, version };
    try {
      return { ...pipe, connection: await connectPatiently(deps, pipe, signal) };
    } catch (error) {
      if (!(error instanceof PipeUnusable)) throw error;
      if (error.fault !== 'absent') throw unusablePipe(deps.transport.address(pipe), error);
    }
  }
  throw noPipe(group, versions, deps.transport);
}

async function connectPatiently(
  { transport, random }: LookDeps,
  pipe: Pipe,
  signal: AbortSignal,
): Promise<PipeConnection> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transport.connect(pipe, signal);
    } catch (error) {
      const isBusy = error instanceof PipeUnusable && error.fault === 'busy';
      if (!isBusy || tries === BUSY_TRIES) throw error;
      await sleep(BUSY_PAUSE_MS * tries * (1 - random() / 2), signal);
    }
  }
}
