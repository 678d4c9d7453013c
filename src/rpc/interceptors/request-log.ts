import type { Logger } from '../../core/ports/logger.ts';
import { outcomeOf } from '../call-error.ts';
import type { Interceptor } from '../call.ts';
import { failureFields } from '../failure-fields.ts';
import type { Redactor } from './redact.ts';

/** RPCs that change nothing and come every few seconds: at `debug` when they succeed. */
const READ_ONLY: ReadonlySet<string> = new Set([
  'Probe',
  'GetPluginInfo',
  'GetPluginCapabilities',
  'ControllerGetCapabilities',
  'ControllerGetVolume',
  'GetCapacity',
  'GetSnapshot',
  'ListSnapshots',
  'ListVolumes',
  'ValidateVolumeCapabilities',
  'NodeGetCapabilities',
  'NodeGetInfo',
  'NodeGetVolumeStats',
]);

/** Part of how CSI is used, not a fault: the caller comes back. */
const ROUTINE: ReadonlySet<string> = new Set(['ABORTED', 'CANCELLED']);
/** A fault of the driver or of a disk: someone must look. */
const ALARMING: ReadonlySet<string> = new Set(['INTERNAL', 'UNKNOWN', 'DATA_LOSS']);

/** A request within CSI's limits is smaller; one that is not must not fill the log. */
const MAX_REQUEST_LENGTH = 32 * 1024;

/** One line per call when it ends, with its request, duration and status; no secret in it (law 9). */
export function requestLog(redactor: Redactor): Interceptor {
  return (next) => async (request, context) => {
    const { log, method } = context;
    const begin = performance.now();
    const fields = (code: string): object => ({
      code,
      durationMs: Math.round((performance.now() - begin) * 1000) / 1000,
      request: shortened(redactor.redact(request)),
    });
    try {
      const response = await next(request, context);
      log[READ_ONLY.has(method) ? 'debug' : 'info'](fields('OK'), `${method} OK`);
      return response;
    } catch (error) {
      const code = outcomeOf(error);
      const failure = { ...fields(code), ...failureFields(error, (text) => redactor.scrub(text, request)) };
      log[levelOf(code)](failure, `${method} ${code}`);
      throw error;
    }
  };
}

function levelOf(code: string): keyof Omit<Logger, 'child'> {
  if (ROUTINE.has(code)) return 'info';
  return ALARMING.has(code) ? 'error' : 'warn';
}

function shortened(request: unknown): unknown {
  const length = JSON.stringify(request).length;
  return length > MAX_REQUEST_LENGTH ? `[${length} characters, too long to log]` : request;
}
