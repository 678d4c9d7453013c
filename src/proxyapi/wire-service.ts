import type { ServiceDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { descriptors } from '../gen/csi-proxy/descriptors.ts';
import { type Pipe, pipeName } from './api-versions.ts';

/** The generated types describe what comes out with these. */
const WIRE_OPTIONS = { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true } as const;

/**
 * The gRPC service of one pipe, by rpc name, ready to be called or served. Loaded alone, because the groups share
 * package names. Takes a few milliseconds each time: keep it for as long as the connection. Throws when CSI Proxy
 * never had the pipe.
 */
export function wireService(pipe: Pipe): ServiceDefinition {
  const descriptor = (descriptors as Partial<Record<string, (typeof descriptors)[keyof typeof descriptors]>>)[
    pipeName(pipe)
  ];
  if (descriptor === undefined) throw new Error(`CSI Proxy never had a pipe ${pipeName(pipe)}`);
  const service = Object.values(fromJSON(descriptor, WIRE_OPTIONS)).find(
    (definition) => !('format' in definition),
  );
  if (service === undefined) throw new Error(`the descriptor of ${pipeName(pipe)} holds no service`);
  return service as ServiceDefinition;
}
