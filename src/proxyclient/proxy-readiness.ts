import type { HostReadiness } from '../core/ports/host-storage.ts';
import type { ApiGroup } from '../proxyapi/api-versions.ts';
import type { Negotiations } from './negotiations.ts';
import { NoVersion } from './no-version.ts';

/** Without these no volume can be served. */
const NEEDED: readonly ApiGroup[] = ['disk', 'volume', 'filesystem'];

/** A server that is stuck is found out in the background; whoever probes the driver does not wait that long. */
const PATIENCE_MS = 2000;

interface Lack {
  readonly reason: string;
  readonly mend: string;
}

const STILL_LOOKING: Lack = {
  reason: 'CSI Proxy accepts connections, but has not answered yet',
  mend: 'restart the service csiproxy on the node when this lasts',
};

/** Ready when a version of each group that volumes need is agreed on (law 10). */
export async function proxyReadiness(
  negotiations: Negotiations,
  signal: AbortSignal,
): Promise<HostReadiness> {
  const lacks = await Promise.all(NEEDED.map((group) => lackOf(negotiations, group, signal)));
  const found = lacks.filter((lack) => lack !== undefined);
  if (found.length === 0) return { ready: true };
  const all = (part: keyof Lack): string => [...new Set(found.map((lack) => lack[part]))].join('; ');
  return { ready: false, reason: all('reason'), mend: all('mend') };
}

async function lackOf(
  negotiations: Negotiations,
  group: ApiGroup,
  signal: AbortSignal,
): Promise<Lack | undefined> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    await negotiations.session(group, AbortSignal.any([signal, patience]));
    return undefined;
  } catch (error) {
    if (error instanceof NoVersion) return error;
    if (patience.aborted && !signal.aborted) return STILL_LOOKING;
    throw error;
  }
}
