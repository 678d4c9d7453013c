import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** One finished call over a pipe of CSI Proxy. */
export interface ProxyCallLabels {
  readonly group: string;
  readonly version: string;
  /** `ListDiskIDs`, as this version names it. */
  readonly rpc: string;
  /** gRPC status name. */
  readonly code: string;
  readonly seconds: number;
}

/** Sees every call over a pipe, on the side that it is made for. */
export interface ProxyCallMetrics {
  called(call: ProxyCallLabels): void;
}

export interface NegotiationMetrics extends ProxyCallMetrics {
  /** `undefined`: no version of the group can be had now. */
  negotiated(group: string, version: string | undefined): void;
}

/** From a stat to a format through a PowerShell, and the deadlines of a client. */
const CALL_SECONDS = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 180];

/** What a CSI Proxy client counts. A group has at most one version in use, so at most one sample in the gauge. */
export function proxyClientMetrics(registry: Registry): NegotiationMetrics {
  const inUse = new Gauge({
    name: 'csi_ntfs_proxy_negotiated_version',
    help: 'Always 1; the labels say which version of an API group of CSI Proxy is in use. Absent: none can be had.',
    labelNames: ['group', 'version'],
    registers: [registry],
  });
  const versions = new Map<string, string>();
  return {
    ...callMetrics(registry, 'client', 'made'),
    negotiated: (group, version) => {
      const former = versions.get(group);
      if (former !== undefined) inUse.remove({ group, version: former });
      versions.delete(group);
      if (version === undefined) return;
      versions.set(group, version);
      inUse.set({ group, version }, 1);
    },
  };
}

/** What a CSI Proxy server counts. */
export const proxyServerMetrics = (registry: Registry): ProxyCallMetrics =>
  callMetrics(registry, 'server', 'served');

function callMetrics(registry: Registry, side: 'client' | 'server', done: string): ProxyCallMetrics {
  const total = new Counter({
    name: `csi_ntfs_proxy_${side}_calls_total`,
    help: `Calls over a pipe of CSI Proxy that were ${done}, by gRPC status.`,
    labelNames: ['group', 'version', 'rpc', 'code'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: `csi_ntfs_proxy_${side}_call_seconds`,
    help: `Time of a call over a pipe of CSI Proxy that was ${done}.`,
    labelNames: ['group', 'version', 'rpc'],
    buckets: CALL_SECONDS,
    registers: [registry],
  });
  return {
    called: ({ group, version, rpc, code, seconds: duration }) => {
      total.inc({ group, version, rpc, code });
      seconds.observe({ group, version, rpc }, duration);
    },
  };
}
