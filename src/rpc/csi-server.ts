import { setMaxListeners } from 'node:events';
import { Server, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import { StorageError } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { KeyedLock } from '../util/keyed-lock.ts';
import type { CsiService, Interceptor } from './call.ts';
import { CSI_PACKAGE, type CsiApi, loadCsiApi, serviceDefinition } from './csi-api.ts';
import { formatEndpoint, parseEndpoint } from './endpoint.ts';
import { closeConnections, serveOn } from './grpc-socket.ts';
import type { CallObserver } from './interceptors/metrics.ts';
import { type Listener, openListener, type OpenListener } from './listen.ts';
import { onion } from './onion.ts';
import { RunningCalls } from './running-calls.ts';
import { unary } from './unary.ts';

export interface CsiServerDeps {
  readonly services: readonly CsiService[];
  readonly log: Logger;
  readonly observer: CallObserver;
  /** Shared with whatever else works on volumes, as the node's sweep does. */
  readonly lock: KeyedLock;
  readonly api?: CsiApi;
  /** Default: the sockets of Node.js. */
  readonly openListener?: OpenListener;
}

export interface CsiServerOptions {
  /** Deadline in seconds of a call whose caller sets none. Default 120. */
  readonly callTimeoutSeconds?: number;
}

const DEFAULT_CALL_TIMEOUT_SECONDS = 120;
/** What handlers get to notice that their signal has aborted. */
const SETTLE_MS = 1000;

/** Serves CSI, gRPC health and gRPC reflection on one endpoint. `listen` once, `stop` once. */
export class CsiServer {
  readonly #server = new Server();
  readonly #health: HealthImplementation;
  readonly #names: readonly string[];
  readonly #log: Logger;
  readonly #open: OpenListener;
  readonly #running = new RunningCalls();
  readonly #forceStop = new AbortController();
  #draining = false;
  #listener: Listener | undefined;

  constructor(deps: CsiServerDeps, options: CsiServerOptions = {}) {
    this.#log = deps.log;
    this.#open = deps.openListener ?? openListener;
    setMaxListeners(0, this.#forceStop.signal); // Each call under way listens.
    const api = deps.api ?? loadCsiApi();
    for (const service of deps.services) {
      const methods = this.#implementation(service, { ...deps, api }, options);
      this.#server.addService(serviceDefinition(api, service.name), methods);
    }
    const services = deps.services.map(({ name }) => `${CSI_PACKAGE}.${name}`);
    this.#names = ['', ...services];
    this.#health = new HealthImplementation();
    this.#setHealth('NOT_SERVING');
    this.#health.addToServer(this.#server);
    new ReflectionService(api.definition, { services }).addToServer(this.#server);
  }

  #implementation(
    service: CsiService,
    deps: CsiServerDeps & { readonly api: CsiApi },
    { callTimeoutSeconds = DEFAULT_CALL_TIMEOUT_SECONDS }: CsiServerOptions,
  ): UntypedServiceImplementation {
    const definition = serviceDefinition(deps.api, service.name);
    const parts = { ...deps, running: this.#running, gate: this.#gate };
    return Object.fromEntries(
      Object.keys(service.methods).map((method) => {
        if (!(method in definition)) throw new Error(`${service.name} of CSI has no rpc ${method}`);
        const call = { service: service.name, method, callTimeoutSeconds };
        const handler = onion(service, method, parts);
        return [method, unary(handler, { ...call, log: deps.log, stop: this.#forceStop.signal })];
      }),
    );
  }

  /** Refuses calls that come while the server drains: the caller tries again and finds the next process. */
  readonly #gate: Interceptor = (next) => async (request, context) => {
    if (this.#draining) {
      const message = `${context.method} is refused: the driver is shutting down; call again when it is back`;
      throw new StorageError('unavailable', message);
    }
    return next(request, context);
  };

  /**
   * Serves until `stop`. Gives the endpoint with the port the system chose. Throws `invalid-argument` for an endpoint
   * that cannot be meant, `failed-precondition` for one that cannot be had, with what to do.
   */
  async listen(endpoint: string): Promise<string> {
    const at = parseEndpoint(endpoint);
    this.#listener = await serveOn(this.#server, (on) => this.#open(at, on), this.#log);
    this.#setHealth('SERVING');
    const bound = formatEndpoint(this.#listener.endpoint);
    this.#log.info({ endpoint: bound, services: this.#names.slice(1) }, 'serving CSI');
    return bound;
  }

  /** Not ready any more, no new calls; waits until those under way have ended, at most so long. */
  async drain(graceSeconds: number): Promise<void> {
    if (!this.#draining) this.#setHealth('NOT_SERVING');
    this.#draining = true;
    await this.#running.settled(graceSeconds * 1000);
  }

  /**
   * Drains, answers who still waits with `UNAVAILABLE`, reports handlers that will not end, and closes. Those handlers
   * are left to the end of the process: a host command that has begun is not killed half-way.
   */
  async stop(graceSeconds: number): Promise<void> {
    await this.drain(graceSeconds);
    const reason = 'the driver is shutting down and could wait no longer; call again when it is back';
    this.#forceStop.abort(new StorageError('unavailable', reason));
    if (!(await this.#running.settled(SETTLE_MS))) this.#reportRunning(graceSeconds);
    this.#listener?.close();
    await closeConnections(this.#server);
  }

  #reportRunning(graceSeconds: number): void {
    for (const { method, callId, keys, since } of this.#running.list()) {
      const fields = { method, call: callId, keys, since, graceSeconds };
      this.#log.error(fields, `${method} is still at work; a repeat of the call will finish it`);
    }
  }

  #setHealth(status: 'SERVING' | 'NOT_SERVING'): void {
    for (const name of this.#names) this.#health.setStatus(name, status);
  }
}
