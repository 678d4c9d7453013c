import { describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
import type { NegotiationObserver, ProxyCallObserver } from '../../../src/proxyapi/call-observer.ts';
import type { CallObserver } from '../../../src/rpc/interceptors/metrics.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';

const build = { version: '1.2.3', commit: 'abc', mode: 'node', host: 'linux' };
const call = { group: 'volume', method: 'formatVolume' } as const;

describe('createMetrics', () => {
  it('says what runs, and how the process is', async () => {
    const text = await createMetrics(build).text();
    expect(text).toContain('csi_ntfs_build_info{version="1.2.3",commit="abc",mode="node",host="linux"} 1');
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('counts and times RPCs by status, and knows how many are under way', async () => {
    const metrics = createMetrics(build);
    const observer: CallObserver = metrics.rpc;
    observer.started('Node', 'NodeStageVolume');
    observer.started('Node', 'Probe');
    observer.finished('Node', 'NodeStageVolume', 'ABORTED', 0.02);
    const text = await metrics.text();
    const labels = 'service="Node",method="NodeStageVolume",code="ABORTED"';
    expect(text).toContain('csi_ntfs_rpc_in_flight 1');
    expect(text).toContain(`csi_ntfs_rpc_seconds_count{${labels}} 1`);
    expect(text).toContain(`csi_ntfs_rpc_seconds_sum{${labels}} 0.02`);
    expect(text).toContain(`csi_ntfs_rpc_seconds_bucket{le="0.05",${labels}} 1`);
    expect(text).toContain(`csi_ntfs_rpc_seconds_bucket{le="0.01",${labels}} 0`);
  });

  it.each([
    ['ok', undefined],
    ['not-found', new StorageError('not-found', 'no such disk')],
    ['unexpected', new TypeError('x is undefined')],
  ])('counts a host call that ends with %s, and passes its end on', async (outcome, error) => {
    const metrics = createMetrics(build);
    const run = metrics.aroundHostCall(call, () =>
      error === undefined ? Promise.resolve('done') : Promise.reject(error),
    );
    const end = await run.catch((thrown: unknown) => thrown);
    expect(end).toBe(error ?? 'done');
    const text = await metrics.text();
    expect(text).toContain(
      `csi_ntfs_host_calls_total{group="volume",call="formatVolume",outcome="${outcome}"} 1`,
    );
    expect(text).toContain('csi_ntfs_host_call_seconds_count{group="volume",call="formatVolume"} 1');
  });

  it('counts and times the calls over the pipes of a CSI Proxy, each side for itself', async () => {
    const metrics = createMetrics(build);
    const observers: readonly ProxyCallObserver[] = [metrics.proxyClient, metrics.proxyServer];
    const pipe = { group: 'disk', version: 'v1beta2' } as const;
    for (const [side, observer] of observers.entries())
      for (const code of ['OK', 'UNKNOWN'].slice(side))
        observer.called({ ...pipe, rpc: 'SetAttachState', code, seconds: 0.02 });
    const text = await metrics.text();
    const rpc = 'group="disk",version="v1beta2",rpc="SetAttachState"';
    expect(text).toContain(`csi_ntfs_proxy_client_calls_total{${rpc},code="OK"} 1`);
    expect(text).toContain(`csi_ntfs_proxy_client_calls_total{${rpc},code="UNKNOWN"} 1`);
    expect(text).toContain(`csi_ntfs_proxy_client_call_seconds_count{${rpc}} 2`);
    expect(text).toContain(`csi_ntfs_proxy_server_calls_total{${rpc},code="UNKNOWN"} 1`);
    expect(text).not.toContain(`csi_ntfs_proxy_server_calls_total{${rpc},code="OK"}`);
    expect(text).toContain(`csi_ntfs_proxy_server_call_seconds_count{${rpc}} 1`);
  });

  it('shows one version of an API group at most: the one in use', async () => {
    const metrics = createMetrics(build);
    const observer: NegotiationObserver = metrics.proxyClient;
    const shown = async (): Promise<readonly (string | undefined)[]> =>
      [...(await metrics.text()).matchAll(/^csi_ntfs_proxy_negotiated_version\{group="disk",(.*)/gm)].map(
        ([, rest]) => rest,
      );
    expect(await shown()).toEqual([]);
    observer.negotiated('disk', 'v1beta2');
    observer.negotiated('volume', 'v1beta2');
    expect(await shown()).toEqual(['version="v1beta2"} 1']);
    observer.negotiated('disk', 'v1');
    observer.negotiated('disk', 'v1');
    expect(await shown()).toEqual(['version="v1"} 1']);
    observer.negotiated('disk', undefined);
    expect(await shown()).toEqual([]);
  });

  it('keeps two registries apart', async () => {
    const [first, second] = [createMetrics(build), createMetrics(build)];
    first.rpc.started('Node', 'Probe');
    await expect(second.text()).resolves.toContain('csi_ntfs_rpc_in_flight 0');
  });
});
