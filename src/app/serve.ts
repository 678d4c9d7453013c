import { commit, version } from '../config/build-info.ts';
import type { AllConfig, ControllerConfig, NodeConfig, ServerConfig } from '../config/modes.ts';
import type { HostReadiness } from '../core/ports/host-storage.ts';
import { identityService } from '../identity/identity-service.ts';
import { CsiServer } from '../rpc/csi-server.ts';
import { parseEndpoint } from '../rpc/endpoint.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { KeyedLock } from '../util/keyed-lock.ts';
import { type ControllerApp, openController } from './controller-app.ts';
import { type AppDeps, type NodeApp, openNode } from './node-app.ts';
import { hostLayer } from './open-host.ts';
import { openLog, runServer, type Serving } from './run-server.ts';
import { socketsOf } from './sockets-of.ts';
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
  parseEndpoint(config.endpoint); // Before anything is made for a call that is wrong.
  const log = openLog(config);
  const metrics = createMetrics({ version, commit, mode: request.mode, host: hostLabel(request) });
  const deps = { log, metrics, lock: new KeyedLock() };
  // Nobody closes the pool: a handler that outlives the drain keeps its lock until the process ends.
  const controller = request.mode === 'node' ? undefined : await openController(request.config, { log });
  const node = request.mode === 'controller' ? undefined : await openNode(request.config, deps);
  const readiness = (signal: AbortSignal): Promise<HostReadiness> =>
    firstNotReady([controller, node], signal);
  await runServer({ config, log, metrics, told, readiness }, (isReady) =>
    csiServing(config, { ...deps, controller, node, readiness: isReady }),
  );
}

interface Parts extends AppDeps {
  readonly controller: ControllerApp | undefined;
  readonly node: NodeApp | undefined;
  readonly readiness: (signal: AbortSignal) => Promise<HostReadiness>;
}

function csiServing(config: ServerConfig, parts: Parts): Serving {
  const { log, metrics, lock, controller, node, readiness } = parts;
  const identity = identityService(
    { readiness },
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
    {
      services,
      log: log.child({ component: 'rpc' }),
      observer: metrics.rpc,
      lock,
      openListener: socketsOf(config.socketBackend),
    },
    { callTimeoutSeconds: config.callTimeoutSeconds },
  );
  return {
    listen: () => server.listen(config.endpoint),
    maintain: (stop) => node?.maintain(stop) ?? Promise.resolve(),
    stop: (graceSeconds) => server.stop(graceSeconds),
    close: () => node?.close(),
  };
}

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

const hostLabel = (request: ServeRequest): string =>
  request.mode === 'controller' ? 'none' : hostLayer(request.config.host);
