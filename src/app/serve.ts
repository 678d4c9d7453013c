import { commit, version } from '../config/build-info.ts';
import type { AllConfig, ControllerConfig, NodeConfig, ServerConfig } from '../config/modes.ts';
import type { HostReadiness } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import { identityService } from '../identity/identity-service.ts';
import { CsiServer } from '../rpc/csi-server.ts';
import { startHttp } from '../telemetry/http.ts';
import { createLogger } from '../telemetry/logger.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { KeyedLock } from '../util/keyed-lock.ts';
import { type ControllerApp, openController } from './controller-app.ts';
import { type NodeApp, openNode } from './node-app.ts';
import { hostLayer } from './open-host.ts';
import { untilToldToStop } from './signals.ts';

/** What a server mode needs; the mode says which services it has. */
type ServeRequest =
  | { readonly mode: 'controller'; readonly config: ControllerConfig }
  | { readonly mode: 'node'; readonly config: NodeConfig }
  | { readonly mode: 'all'; readonly config: AllConfig };

/** Serves CSI until SIGTERM or SIGINT, then drains and stops. Throws when it cannot start. */
export async function serve(request: ServeRequest): Promise<void> {
  const told = untilToldToStop(); // From the start: the first process of a container has no other handler.
  const { config } = request;
  const log = createLogger({ level: config.logLevel, format: logFormat(config.logFormat) });
  const metrics = createMetrics({ version, commit, mode: request.mode, host: hostLabel(request) });
  const lock = new KeyedLock();
  const stopping = new AbortController();
  // Nobody closes the pool: a handler that outlives the drain keeps its lock until the process ends.
  const controller = request.mode === 'node' ? undefined : await openController(request.config, { log });
  const node =
    request.mode === 'controller' ? undefined : await openNode(request.config, { log, metrics, lock });
  await serveParts({ config, log, metrics, lock, controller, node, stopping, told });
}

interface Parts {
  readonly config: ServerConfig;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly lock: KeyedLock;
  readonly controller: ControllerApp | undefined;
  readonly node: NodeApp | undefined;
  readonly stopping: AbortController;
  /** The signal that ends this process, when it comes. */
  readonly told: Promise<NodeJS.Signals>;
}

async function serveParts(parts: Parts): Promise<void> {
  const { config, log, metrics, lock, controller, node, stopping, told } = parts;
  const isReady = (signal: AbortSignal): Promise<HostReadiness> =>
    stopping.signal.aborted ? Promise.resolve(SHUTTING_DOWN) : firstNotReady([controller, node], signal);
  const identity = identityService(
    { readiness: isReady },
    {
      name: config.driverName,
      version,
      manifest: { commit },
      controllerService: true,
      volumeExpansion: 'ONLINE',
    },
  );
  const services = [identity, controller?.service, node?.service].filter((service) => service !== undefined);
  const server = new CsiServer(
    { services, log: log.child({ component: 'rpc' }), observer: metrics.rpc, lock },
    { callTimeoutSeconds: config.callTimeoutSeconds },
  );
  const http =
    config.httpEndpoint === ''
      ? undefined
      : await startHttp(config.httpEndpoint, { metrics, readiness: isReady, log });
  try {
    await server.listen(config.endpoint);
    const maintenance = node?.maintain(stopping.signal);

    log.info({ signal: await told }, 'stopping: no new calls, waiting for those under way');
    stopping.abort();
    await server.stop(config.drainTimeoutSeconds);
    await maintenance;
  } finally {
    await http?.stop();
  }
  log.info({}, 'stopped');
}

const SHUTTING_DOWN: HostReadiness = {
  ready: false,
  reason: 'the driver is shutting down',
  mend: 'wait for the next one to start',
};

async function firstNotReady(
  apps: readonly ({ readonly readiness: (signal: AbortSignal) => Promise<HostReadiness> } | undefined)[],
  signal: AbortSignal,
): Promise<HostReadiness> {
  for (const app of apps) {
    const readiness = await app?.readiness(signal);
    if (readiness?.ready === false) return readiness;
  }
  return { ready: true };
}

const logFormat = (wanted: 'auto' | 'json' | 'pretty'): 'json' | 'pretty' =>
  wanted !== 'auto' ? wanted : process.stdout.isTTY ? 'pretty' : 'json';

const hostLabel = (request: ServeRequest): string =>
  request.mode === 'controller' ? 'none' : hostLayer(request.config.host);
