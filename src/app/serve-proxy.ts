import { commit, version } from '../config/build-info.ts';
import type { ProxyConfig } from '../config/modes.ts';
import { StorageError } from '../core/errors.ts';
import { aroundHostCalls } from '../core/host-calls.ts';
import { pipesOf } from '../proxyapi/releases.ts';
import { ProxyServer } from '../proxyserver/proxy-server.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { hostLayer, openOwnHost } from './open-host.ts';
import { eraOf, enforcesPathContext } from './proxy-era.ts';
import { openLog, runServer } from './run-server.ts';
import { untilToldToStop } from './signals.ts';

/** Serves the API of CSI Proxy over this machine's host layer until SIGTERM or SIGINT, then drains and stops. */
export async function serveProxy(config: ProxyConfig): Promise<void> {
  const told = untilToldToStop();
  const pipes = pipesOf(config.apiVersions);
  const layer = hostLayer(config.host);
  if (layer === 'proxy') throw servesItself();
  const log = openLog(config);
  const metrics = createMetrics({ version, commit, mode: 'proxy', host: layer });
  const opened = openOwnHost(config, log);
  const host = aroundHostCalls(opened.host, metrics.aroundHostCall);
  const server = new ProxyServer(
    { host, log: log.child({ component: 'proxy' }), observer: metrics.proxyServer },
    {
      pipeDir: config.pipeDir,
      pipes,
      workingDirs: config.workingDir,
      root: config.rootDir,
      era: eraOf(config),
      compat: config.compat,
      enforcePathContext: enforcesPathContext(config),
      kubeletPath: config.kubeletPath,
    },
  );
  const run = { config, log, metrics, told, readiness: (signal: AbortSignal) => host.readiness(signal) };
  await runServer(run, () => ({
    listen: () => server.listen(),
    maintain: opened.maintain,
    stop: (graceSeconds) => server.stop(graceSeconds),
    close: opened.close,
  }));
}

const servesItself = (): StorageError =>
  new StorageError(
    'invalid-argument',
    '--host proxy would have the proxy serve itself: give it a host of its own, linux or simulated; this release has none for Windows',
  );
