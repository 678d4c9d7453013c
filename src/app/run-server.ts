import type { ProcessConfig } from '../config/modes.ts';
import type { HostReadiness } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import { startHttp } from '../telemetry/http.ts';
import { createLogger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

type Readiness = (signal: AbortSignal) => Promise<HostReadiness>;

/** What one mode of the driver does while its process lives. */
export interface Serving {
  listen(): Promise<unknown>;
  /** Runs beside the server until the signal aborts. */
  maintain(stop: AbortSignal): Promise<unknown>;
  /** Takes no new calls, waits for those under way for so long, and closes. */
  stop(graceSeconds: number): Promise<void>;
  /** Lets go of what would keep the process alive; the last thing. */
  close(): void;
}

export interface ServerRun {
  readonly config: ProcessConfig;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The signal that ends this process, when it comes. */
  readonly told: Promise<NodeJS.Signals>;
  /** Whether all that the mode needs is there. */
  readonly readiness: Readiness;
}

export const openLog = (config: ProcessConfig): Logger => {
  const { logFormat } = config;
  const format = logFormat !== 'auto' ? logFormat : process.stdout.isTTY ? 'pretty' : 'json';
  return createLogger({ level: config.logLevel, format });
};

/** Serves, with metrics and health beside it, until the process is told to stop; then drains and stops. */
export async function runServer(
  { config, log, metrics, told, readiness }: ServerRun,
  serving: (readiness: Readiness) => Serving,
): Promise<void> {
  const stopping = new AbortController();
  const isReady: Readiness = (signal) =>
    stopping.signal.aborted ? Promise.resolve(SHUTTING_DOWN) : readiness(signal);
  const server = serving(isReady);
  const http =
    config.httpEndpoint === ''
      ? undefined
      : await startHttp(config.httpEndpoint, { metrics, readiness: isReady, log });
  try {
    await server.listen();
    const maintenance = server.maintain(stopping.signal);

    log.info({ signal: await told }, 'stopping: no new calls, waiting for those under way');
    stopping.abort();
    await server.stop(config.drainTimeoutSeconds);
    await maintenance;
    server.close();
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
