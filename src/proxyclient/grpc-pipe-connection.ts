import {
  type Client,
  connectivityState,
  type MethodDefinition,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js';
import { callUnary } from '../rpc/unary-client.ts';
import {
  type PipeCallFault,
  PipeCallError,
  type PipeCallOptions,
  type PipeConnection,
} from './pipe-transport.ts';

/**
 * One connected grpc-js client, closed for good when its connection drops: by itself it would connect again without a
 * word, to a server that may be another version by now.
 */
export class GrpcPipeConnection implements PipeConnection {
  readonly closed: Promise<void>;
  readonly #client: Client;
  readonly #service: ServiceDefinition;
  #isClosed = false;
  #tellClosed: () => void = () => undefined;

  constructor(client: Client, service: ServiceDefinition) {
    this.#client = client;
    this.#service = service;
    this.closed = new Promise((resolve) => (this.#tellClosed = resolve));
    client.getChannel().watchConnectivityState(connectivityState.READY, Infinity, () => {
      this.close();
    });
  }

  async unary(rpc: string, request: object, options: PipeCallOptions): Promise<object> {
    const definition: MethodDefinition<object, object> | undefined = this.#service[rpc];
    if (definition === undefined)
      throw new PipeCallError('unimplemented', 'UNIMPLEMENTED', `this version has no ${rpc}`);
    if (this.#isClosed) throw new PipeCallError('unsent', 'UNAVAILABLE', 'the connection has gone');
    try {
      return await callUnary(this.#client, definition, request, options);
    } catch (error) {
      throw callErrorOf(error, options);
    }
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#tellClosed();
    // Not at once: this may be inside of a change of the channel's state.
    setImmediate(() => {
      this.#client.close();
    });
  }
}

/** A CSI Proxy answers every failure with UNKNOWN, so the codes below are grpc-js's own. */
function callErrorOf(error: unknown, { signal, timeoutMs }: PipeCallOptions): PipeCallError {
  const { code, details } = error as { readonly code?: unknown; readonly details?: unknown };
  const text = typeof details === 'string' ? details : String(error);
  const name = typeof code === 'number' ? status[code] : undefined;
  if (name === undefined) return new PipeCallError('lost', 'INTERNAL', text, { cause: error });
  return new PipeCallError(faultOf(code as status), name, text, { cause: error });

  function faultOf(known: status): PipeCallFault {
    switch (known) {
      case status.UNIMPLEMENTED:
        return 'unimplemented';
      case status.DEADLINE_EXCEEDED:
        return timeoutMs === undefined ? 'answered' : 'timed-out';
      case status.CANCELLED:
        return signal?.aborted === true ? 'cancelled' : 'lost';
      // INTERNAL: the stream was reset. Whatever the server did by then, it could not say.
      case status.INTERNAL:
      case status.UNAVAILABLE:
        return 'lost';
      default:
        return 'answered';
    }
  }
}
