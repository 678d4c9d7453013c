import { Client, connectivityState, credentials, type ServiceDefinition } from '@grpc/grpc-js';
import { type Pipe, pipeName } from '../proxyapi/api-versions.ts';
import { pipeAddress } from '../proxyapi/pipe-address.ts';
import { wireService } from '../proxyapi/wire-service.ts';
import { clientTarget } from '../rpc/endpoint.ts';
import { GrpcPipeConnection } from './grpc-pipe-connection.ts';
import { shakeHands } from './pipe-handshake.ts';
import { type PipeTransport, PipeUnusable } from './pipe-transport.ts';

export interface GrpcPipeTransportOptions {
  /** Folder of the sockets, one per pipe; or `\\.\pipe\`, Windows' place for named pipes. */
  readonly pipeDir: string;
  /** How long a server that accepts a connection may be silent. */
  readonly handshakeTimeoutSeconds: number;
}

const CHANNEL_OPTIONS = {
  // Else two clients of one process share a connection, and with it its end.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.default_authority': 'localhost',
  // What may be sent twice is decided above, where it is known what it does.
  'grpc.enable_retries': 0,
  // An idle connection is kept: its end means that the server has gone.
  'grpc.client_idle_timeout_ms': 2 ** 31 - 1,
};

/** A server that stalls or hangs up gets one more chance: the first connection after its start may be lost. */
const TRIES = 2;

/** gRPC over unix sockets `<pipeDir>/csi-proxy-<group>-<version>.sock`; over named pipes where `pipeDir` is their place. */
export function grpcPipeTransport(options: GrpcPipeTransportOptions): PipeTransport {
  const { pipeDir, handshakeTimeoutSeconds } = options;
  const address = (pipe: Pipe): string => pipeAddress(pipeDir, pipe);
  const services = new Map<string, ServiceDefinition>();
  const serviceOf = (pipe: Pipe): ServiceDefinition => {
    const service = services.get(pipeName(pipe)) ?? wireService(pipe);
    services.set(pipeName(pipe), service);
    return service;
  };
  const timeoutMs = handshakeTimeoutSeconds * 1000;
  return {
    name: 'grpc',
    address,
    connect: (pipe, signal) =>
      withAnotherTry(async () => {
        const client = await connectOnce(address(pipe), timeoutMs, signal);
        return new GrpcPipeConnection(client, serviceOf(pipe));
      }),
  };
}

async function withAnotherTry<Result>(connect: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await connect();
    } catch (error) {
      const isWorthIt =
        error instanceof PipeUnusable && (error.fault === 'stalled' || error.fault === 'broken');
      if (!isWorthIt || tries === TRIES) throw error;
    }
  }
}

async function connectOnce(address: string, timeoutMs: number, signal: AbortSignal): Promise<Client> {
  await shakeHands(address, timeoutMs, signal);
  const target = clientTarget({ kind: 'unix', path: address });
  const client = new Client(target, credentials.createInsecure(), CHANNEL_OPTIONS);
  try {
    await untilReady(client.getChannel(), Date.now() + timeoutMs);
  } catch (error) {
    client.close();
    throw error;
  }
  return client;
}

/** Unlike grpc-js's `waitForReady` it does not wait for further attempts when the first has failed. */
function untilReady(channel: ReturnType<Client['getChannel']>, deadline: number): Promise<void> {
  return new Promise((resolve, reject) => {
    look();
    function look(late?: Error): void {
      const state = channel.getConnectivityState(true);
      if (state === connectivityState.READY) resolve();
      else if (late !== undefined)
        reject(new PipeUnusable('stalled', 'the server fell silent', { cause: late }));
      else if (state === connectivityState.TRANSIENT_FAILURE)
        reject(new PipeUnusable('broken', 'the server hung up'));
      else channel.watchConnectivityState(state, deadline, look);
    }
  });
}
