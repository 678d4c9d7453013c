import { setMaxListeners } from 'node:events';
import { Server } from '@grpc/grpc-js';
import { StorageError } from '../core/errors.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Pipe } from '../proxyapi/api-versions.ts';
import type { ProxyCallObserver } from '../proxyapi/call-observer.ts';
import { pathsInContext } from '../proxyapi/path-context.ts';
import { isNamedPipes } from '../proxyapi/pipe-address.ts';
import { wireService } from '../proxyapi/wire-service.ts';
import { closeConnections, serveOn } from '../rpc/grpc-socket.ts';
import type { Listener } from '../rpc/listen.ts';
import { RunningCalls } from '../rpc/running-calls.ts';
import { type Era, eraHost } from './era-host.ts';
import { namedPipes } from './named-pipes.ts';
import type { OpenPipe } from './open-pipe.ts';
import { pathRules } from './path-rules.ts';
import { type PipeCallDeps, pipeCalls } from './pipe-calls.ts';
import { withRequestChecks } from './request-checks.ts';
import { rootPath } from './root-path.ts';
import { systemVolumeOf } from './system-volume.ts';
import { unixPipes } from './unix-pipes.ts';
import { withWindowsPaths } from './windows-paths.ts';

export interface ProxyServerDeps {
  readonly host: HostStorage;
  readonly log: Logger;
  readonly observer: ProxyCallObserver;
  /** Default: named pipes or unix sockets, as `pipeDir` is a place for the ones or the others. */
  readonly openPipe?: OpenPipe;
}

export interface ProxyServerOptions {
  readonly pipeDir: string;
  readonly pipes: readonly Pipe[];
  /** Windows folders, beside `kubeletPath`, below which paths may be. */
  readonly workingDirs: readonly string[];
  /** The folder of this machine that is `C:\`. */
  readonly root: string;
  readonly era: Era;
  /** True: the path rules have the holes of the original. */
  readonly compat: boolean;
  /** True: the `PathContext` of the oldest versions is enforced, as servers 0.x do; later ones ignore it. */
  readonly enforcePathContext: boolean;
  /** `C:\var\lib\kubelet` */
  readonly kubeletPath: string;
}

/** What calls get to notice that the server has stopped waiting for them. */
const SETTLE_MS = 1000;

/** Serves the API of CSI Proxy over a host: a gRPC server for each pipe. `listen` once, `stop` once. */
export class ProxyServer {
  readonly #deps: ProxyServerDeps;
  readonly #options: ProxyServerOptions;
  readonly #servers: readonly { readonly pipe: Pipe; readonly server: Server }[];
  readonly #running = new RunningCalls();
  readonly #stopped = new AbortController();
  #listeners: readonly Listener[] = [];

  constructor(deps: ProxyServerDeps, options: ProxyServerOptions) {
    this.#deps = deps;
    this.#options = options;
    // Every call under way listens to it, however many there are.
    setMaxListeners(0, this.#stopped.signal);
    const calls = this.#calls();
    this.#servers = options.pipes.map((pipe) => {
      const server = new Server();
      const service = wireService(pipe);
      server.addService(service, pipeCalls(pipe, service, calls));
      return { pipe, server };
    });
  }

  #calls(): PipeCallDeps {
    const { enforcePathContext, era, root } = this.#options;
    const rules = pathRules(this.#options);
    const host = eraHost(this.#deps.host, era, systemVolumeOf(root));
    return {
      host: withRequestChecks(withWindowsPaths(host, rules, rootPath(root))),
      log: this.#deps.log,
      observer: this.#deps.observer,
      running: this.#running,
      admit: (pipe, rpc, request) => {
        if (!enforcePathContext) return;
        for (const { path, context } of pathsInContext(pipe, rpc, request)) rules.inContext(path, context);
      },
      era,
      stop: this.#stopped.signal,
    };
  }

  /** Opens every pipe, or none: `failed-precondition` when one cannot be had, as when another server has it. */
  async listen(): Promise<void> {
    const { pipeDir, era } = this.#options;
    const { log, openPipe = isNamedPipes(pipeDir) ? namedPipes(pipeDir) : unixPipes(pipeDir) } = this.#deps;
    const opened: Listener[] = [];
    try {
      for (const { pipe, server } of this.#servers) {
        opened.push(await serveOn(server, (on) => openPipe(pipe, on), log));
      }
    } catch (error) {
      for (const listener of opened) listener.close();
      throw error;
    }
    this.#listeners = opened;
    log.info({ pipeDir, pipes: opened.length, era }, 'serving CSI Proxy');
  }

  /**
   * Takes no more calls and removes the pipes; waits for the calls under way, at most so long. Those that have begun a
   * change of the machine are left to the end of the process.
   */
  async stop(graceSeconds: number): Promise<void> {
    for (const listener of this.#listeners) listener.close();
    const answered = this.#servers.map(({ server }) => closeConnections(server, graceSeconds * 1000));
    await this.#running.settled(graceSeconds * 1000);
    this.#stopped.abort(new StorageError('unavailable', 'CSI Proxy is shutting down'));
    if (!(await this.#running.settled(SETTLE_MS))) this.#reportRunning();
    await Promise.all(answered);
  }

  #reportRunning(): void {
    for (const { method, since } of this.#running.list()) {
      this.#deps.log.error({ since }, `${method} is still at work: ask for the state before it is repeated`);
    }
  }
}
