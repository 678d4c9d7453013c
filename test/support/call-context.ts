import type { Logger } from '../../src/core/ports/logger.ts';
import type { CallContext } from '../../src/rpc/call.ts';
import { RecordingLogger } from './recording-logger.ts';

/** The context of a call whose caller waits for ever, unless said otherwise. */
export function callContext(
  changes: Partial<CallContext> = {},
  log: Logger = new RecordingLogger(),
): CallContext {
  return {
    service: 'Controller',
    method: 'CreateVolume',
    callId: 'c0ffee00',
    signal: new AbortController().signal,
    log,
    ...changes,
  };
}
