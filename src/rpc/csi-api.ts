import type { ServiceDefinition } from '@grpc/grpc-js';
import { fromJSON, type PackageDefinition } from '@grpc/proto-loader';
import { csiDescriptor } from '../gen/csi-descriptor.ts';
import { type DescriptorJson, type MessageType, messageTypes } from './message-types.ts';

export const CSI_PACKAGE = 'csi.v1';

/** Must be those of `scripts/`: the generated types describe what comes out with these. */
const WIRE_OPTIONS = { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true } as const;

/** The CSI wire API, ready to be served or called. */
export interface CsiApi {
  readonly definition: PackageDefinition;
  /** Messages of package csi.v1 by name. */
  readonly types: ReadonlyMap<string, MessageType>;
}

/** Takes some 20 ms; load it once per process. */
export function loadCsiApi(descriptor: DescriptorJson = csiDescriptor): CsiApi {
  return { definition: fromJSON(descriptor, WIRE_OPTIONS), types: messageTypes(descriptor, CSI_PACKAGE) };
}

/** The gRPC definition of `Identity`, `Controller` or `Node`. */
export function serviceDefinition(api: CsiApi, service: string): ServiceDefinition {
  const definition = api.definition[`${CSI_PACKAGE}.${service}`];
  if (definition === undefined || 'format' in definition) {
    throw new Error(`package ${CSI_PACKAGE} has no service ${service}`);
  }
  return definition;
}

/** The request type of an rpc: CSI names it after the rpc, without exception. */
export function requestType(api: CsiApi, method: string): MessageType {
  const type = api.types.get(`${method}Request`);
  if (type === undefined) throw new Error(`package ${CSI_PACKAGE} has no rpc ${method}`);
  return type;
}
