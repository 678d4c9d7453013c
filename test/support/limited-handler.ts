import type { AnyHandler, CsiService } from '../../src/rpc/call.ts';
import { type CsiApi, requestType } from '../../src/rpc/csi-api.ts';
import { limits } from '../../src/rpc/interceptors/limits.ts';

/** The handler of an rpc behind the field limits: no request reaches it otherwise. */
export function limitedHandler(api: CsiApi, service: CsiService, method: string): AnyHandler {
  const handler = service.methods[method];
  if (handler === undefined) throw new Error(`${service.name} does not serve ${method}`);
  return limits(requestType(api, method))(handler);
}
