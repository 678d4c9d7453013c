import { Server, ServerCredentials, status, type UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Pipe } from '../../src/proxyapi/api-versions.ts';
import { pipeName } from '../../src/proxyapi/api-versions.ts';
import { wireService } from '../../src/proxyapi/wire-service.ts';

/** Answers one rpc; what it throws is UNKNOWN with its text, as a CSI Proxy answers every failure. */
export type PipeHandler = (request: object) => object | Promise<object>;

export interface PipeServer {
  /** The rpcs that were asked, in order, as `disk v1 ListDiskIDs`. */
  readonly asked: string[];
  /** Ends every connection at once, as a process that dies. */
  readonly kill: () => void;
  /** Takes no new calls, ends connections when the calls under way are answered. */
  readonly leave: () => Promise<void>;
}

/** A handler that answers when it is told to; `asked` tells when it has begun. */
export function heldAnswer(): { answer: PipeHandler; asked: Promise<void>; finish: () => void } {
  const { promise: asked, resolve: begin } = deferred();
  const { promise: finished, resolve: finish } = deferred();
  const answer = async (): Promise<object> => {
    begin();
    await finished;
    return {};
  };
  return { answer, asked, finish };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

/** A server of just these pipes and rpcs over real sockets. What has no handler is UNIMPLEMENTED. */
export async function servePipes(
  pipeDir: string,
  pipes: readonly Pipe[],
  handlers: Readonly<Record<string, PipeHandler>> = {},
): Promise<PipeServer> {
  const asked: string[] = [];
  const servers = await Promise.all(pipes.map((pipe) => servePipe(pipeDir, pipe, handlers, asked)));
  return {
    asked,
    kill: () => {
      for (const server of servers) server.forceShutdown();
    },
    leave: async () => {
      await Promise.all(
        servers.map(
          (server) =>
            new Promise((done) => {
              server.tryShutdown(done);
            }),
        ),
      );
    },
  };
}

async function servePipe(
  pipeDir: string,
  pipe: Pipe,
  handlers: Readonly<Record<string, PipeHandler>>,
  asked: string[],
): Promise<Server> {
  const service = wireService(pipe);
  const implementation: UntypedServiceImplementation = {};
  for (const [rpc, handler] of Object.entries(handlers)) {
    if (!(rpc in service)) continue;
    implementation[rpc] = (
      call: { request: object },
      answer: (error: object | null, value?: object) => void,
    ) => {
      asked.push(`${pipe.group} ${pipe.version} ${rpc}`);
      void Promise.resolve()
        .then(() => handler(call.request))
        .then(
          (value) => {
            answer(null, value);
          },
          (error: unknown) => {
            answer({ code: status.UNKNOWN, details: String(error) });
          },
        );
    };
  }
  const server = new Server();
  server.addService(service, implementation);
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(
      `unix:${pipeDir}/${pipeName(pipe)}.sock`,
      ServerCredentials.createInsecure(),
      (error) => {
        if (error === null) resolve();
        else reject(error);
      },
    );
  });
  return server;
}
