import { describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
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

  it('keeps two registries apart', async () => {
    const [first, second] = [createMetrics(build), createMetrics(build)];
    first.rpc.started('Node', 'Probe');
    await expect(second.text()).resolves.toContain('csi_ntfs_rpc_in_flight 0');
  });
});
