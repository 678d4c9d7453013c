import { messageOf } from '../core/errors.ts';
import type { HostReadiness } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { ProbeRequest__Output } from '../gen/csi/csi/v1/ProbeRequest.ts';
import type { ProbeResponse } from '../gen/csi/csi/v1/ProbeResponse.ts';
import type { UnaryHandler } from '../rpc/call.ts';

export interface ProbeDeps {
  /** Whether all that this mode of the driver needs is there: host, storage, and not shutting down. */
  readonly readiness: (signal: AbortSignal) => Promise<HostReadiness>;
}

/**
 * Answers whether the driver can serve now. What it waits for may be missing for hours: that is "not ready", never
 * an error, because a failing probe makes the kubelet restart a driver that only has to wait (law 10). The log gets
 * the reason and the mend when they change, not at every probe.
 */
export function probe(deps: ProbeDeps): UnaryHandler<ProbeRequest__Output, ProbeResponse> {
  let told: string | undefined;
  return async (_request, { signal, log }) => {
    const readiness = await readinessOrReason(deps, signal);
    const state = JSON.stringify(readiness);
    if (state !== told) tell(readiness, log);
    told = state;
    return { ready: { value: readiness.ready } };
  };
}

/** Only a caller that has gone gets an error; a question that could not be asked is a reason not to be ready. */
async function readinessOrReason(deps: ProbeDeps, signal: AbortSignal): Promise<HostReadiness> {
  try {
    return await deps.readiness(signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return {
      ready: false,
      reason: `could not find out: ${messageOf(error)}`,
      mend: 'run csi-driver-ntfs doctor on this machine',
    };
  }
}

function tell(readiness: HostReadiness, log: Logger): void {
  if (readiness.ready) log.info({}, 'ready');
  else log.warn({ reason: readiness.reason, mend: readiness.mend }, 'not ready');
}
