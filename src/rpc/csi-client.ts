import { Client, credentials } from '@grpc/grpc-js';
import type { ControllerDefinition } from '../gen/csi/csi/v1/Controller.ts';
import type { IdentityDefinition } from '../gen/csi/csi/v1/Identity.ts';
import type { NodeDefinition } from '../gen/csi/csi/v1/Node.ts';
import { type CsiApi, loadCsiApi, serviceDefinition } from './csi-api.ts';
import { clientTarget, parseEndpoint } from './endpoint.ts';
import { callUnary } from './unary-client.ts';

export interface CsiCallOptions {
  /** Default: that of the connection. */
  readonly timeoutSeconds?: number;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
}

/** The names of a service's rpcs: its generated definition also accepts any string as one. */
export type RpcOf<Definition> = keyof {
  [Name in keyof Definition as string extends Name ? never : Name]: Definition[Name];
} &
  string;

/** Typed promises for the rpcs of a service. They reject with grpc-js's ServiceError: `code` and `details`. */
export type CsiStub<Definition> = {
  readonly [Name in RpcOf<Definition> as Uncapitalize<Name>]: Definition[Name] extends {
    requestSerialize: (value: infer Request) => unknown;
    responseDeserialize: (bytes: Buffer) => infer Response;
  }
    ? (request: Request, options?: CsiCallOptions) => Promise<Response>
    : never;
};

export interface CsiClient {
  readonly identity: CsiStub<IdentityDefinition>;
  readonly controller: CsiStub<ControllerDefinition>;
  readonly node: CsiStub<NodeDefinition>;
  /** Waits for a connection; rejects when there is none after so many seconds. */
  ready(timeoutSeconds: number): Promise<void>;
  close(): void;
}

export interface CsiClientOptions {
  /** Deadline of each call in seconds. Default 60. */
  readonly timeoutSeconds?: number;
  readonly api?: CsiApi;
}

const DEFAULT_TIMEOUT_SECONDS = 60;
/** A driver that restarts is found again soon, not after gRPC's two minutes. */
const RECONNECT = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1000 };

/** A CSI client such as a sidecar is, for the demo and the tests. Connects when the first call is made. */
export function connectCsi(endpoint: string, options: CsiClientOptions = {}): CsiClient {
  const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, api = loadCsiApi() } = options;
  const target = clientTarget(parseEndpoint(endpoint));
  const client = new Client(target, credentials.createInsecure(), RECONNECT);
  const stub = <Definition>(service: string): CsiStub<Definition> => {
    const rpcs = Object.entries(serviceDefinition(api, service)).map(([name, definition]) => [
      name.charAt(0).toLowerCase() + name.slice(1),
      (request: unknown, call: CsiCallOptions = {}) =>
        callUnary(client, definition, request, {
          timeoutMs: (call.timeoutSeconds ?? timeoutSeconds) * 1000,
          ...(call.signal && { signal: call.signal }),
        }),
    ]);
    return Object.fromEntries(rpcs) as CsiStub<Definition>;
  };
  return {
    identity: stub('Identity'),
    controller: stub('Controller'),
    node: stub('Node'),
    ready: (seconds) => ready(client, seconds),
    close: () => {
      client.close();
    },
  };
}

function ready(client: Client, seconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    client.waitForReady(Date.now() + seconds * 1000, (error) => {
      if (error === undefined) resolve();
      else reject(error);
    });
  });
}
