import { outcomeOf } from '../call-error.ts';
import type { Interceptor } from '../call.ts';

/** Sees every call begin and end. `code` is the name of its gRPC status. */
export interface CallObserver {
  started(service: string, method: string): void;
  finished(service: string, method: string, code: string, seconds: number): void;
}

/** The outermost layer, so that the time it measures is the time the caller waits. */
export function metrics(observer: CallObserver): Interceptor {
  return (next) => async (request, context) => {
    const { service, method } = context;
    const begin = performance.now();
    const finished = (code: string): void => {
      observer.finished(service, method, code, (performance.now() - begin) / 1000);
    };
    observer.started(service, method);
    try {
      const response = await next(request, context);
      finished('OK');
      return response;
    } catch (error) {
      finished(outcomeOf(error));
      throw error;
    }
  };
}
