import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { StorageError } from '../core/errors.ts';
import type { AroundHostCall } from '../core/host-calls.ts';
import {
  type NegotiationMetrics,
  type ProxyCallMetrics,
  proxyClientMetrics,
  proxyServerMetrics,
} from './proxy-metrics.ts';

export interface BuildLabels {
  readonly version: string;
  readonly commit: string;
  /** `controller`, `node`, `all`, `proxy`. */
  readonly mode: string;
  /** `proxy`, `linux`, `simulated`, …; `none` for a controller. */
  readonly host: string;
}

/** Sees every RPC; what `rpc/interceptors/metrics.ts` asks for. */
export interface RpcMetrics {
  started(service: string, method: string): void;
  finished(service: string, method: string, code: string, seconds: number): void;
}

export interface Metrics {
  readonly rpc: RpcMetrics;
  /** For `aroundHostCalls`. */
  readonly aroundHostCall: AroundHostCall;
  readonly proxyClient: NegotiationMetrics;
  readonly proxyServer: ProxyCallMetrics;
  readonly contentType: string;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
}

/** From a Probe (under a millisecond) to a copy of a large volume. */
const RPC_SECONDS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120];
/** From a stat to a format. */
const HOST_CALL_SECONDS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

/** Every metric of the driver, in a registry of its own; no two in one process disturb each other. */
export function createMetrics(build: BuildLabels): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'csi_ntfs_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'commit', 'mode', 'host'],
    registers: [registry],
  }).set({ ...build }, 1);
  return {
    rpc: rpcMetrics(registry),
    aroundHostCall: hostCallMetrics(registry),
    proxyClient: proxyClientMetrics(registry),
    proxyServer: proxyServerMetrics(registry),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function rpcMetrics(registry: Registry): RpcMetrics {
  const seconds = new Histogram({
    name: 'csi_ntfs_rpc_seconds',
    help: 'Time from the arrival of an RPC to its answer, by gRPC status.',
    labelNames: ['service', 'method', 'code'],
    buckets: RPC_SECONDS,
    registers: [registry],
  });
  const inFlight = new Gauge({
    name: 'csi_ntfs_rpc_in_flight',
    help: 'RPCs whose callers wait for an answer.',
    registers: [registry],
  });
  return {
    started: () => {
      inFlight.inc();
    },
    finished: (service, method, code, duration) => {
      inFlight.dec();
      seconds.observe({ service, method, code }, duration);
    },
  };
}

function hostCallMetrics(registry: Registry): AroundHostCall {
  const total = new Counter({
    name: 'csi_ntfs_host_calls_total',
    help: 'Calls to the host, by outcome: ok, or the kind of failure.',
    labelNames: ['group', 'call', 'outcome'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'csi_ntfs_host_call_seconds',
    help: 'Time of a call to the host.',
    labelNames: ['group', 'call'],
    buckets: HOST_CALL_SECONDS,
    registers: [registry],
  });
  return async ({ group, method: call }, run) => {
    const stopTimer = seconds.startTimer({ group, call });
    let outcome = 'ok';
    try {
      return await run();
    } catch (error) {
      outcome = error instanceof StorageError ? error.code : 'unexpected';
      throw error;
    } finally {
      stopTimer();
      total.inc({ group, call, outcome });
    }
  };
}
