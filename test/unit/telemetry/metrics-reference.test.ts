import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '../../../src/telemetry/metrics.ts';

/** Name → type and labels of every metric of ours, as served once each has been used. */
async function servedMetrics(): Promise<Record<string, string>> {
  const metrics = createMetrics({ version: '1', commit: 'c', mode: 'all', host: 'linux' });
  metrics.rpc.started('Node', 'NodeStageVolume');
  metrics.rpc.finished('Node', 'NodeStageVolume', 'OK', 1);
  await metrics.aroundHostCall({ group: 'disk', method: 'rescan' }, () => Promise.resolve());
  const call = { group: 'disk', version: 'v1', rpc: 'Rescan', code: 'OK', seconds: 1 };
  metrics.proxyClient.called(call);
  metrics.proxyClient.negotiated('disk', 'v1');
  metrics.proxyServer.called(call);
  const text = await metrics.text();
  const types = [...text.matchAll(/^# TYPE (csi_ntfs_\w+) (\w+)$/gm)];
  return Object.fromEntries(
    types.map(([, name = '', type = '']) => {
      const sample = new RegExp(`^${name}(?:_bucket)?(?:\\{([^}]*)\\})? `, 'm').exec(text)?.[1] ?? '';
      const labels = [...sample.matchAll(/(\w+)="/g)]
        .map(([, label = '']) => label)
        .filter((label) => label !== 'le');
      return [name, `${type} ${labels.sort().join(' ')}`];
    }),
  );
}

function documentedMetrics(): Record<string, string> {
  const page = readFileSync('docs/reference/metrics.md', 'utf8');
  const rows = [...page.matchAll(/^\| `(csi_ntfs_\w+)` +\| (\w+) +\| ([^|]*) \|/gm)];
  return Object.fromEntries(
    rows.map(([, name = '', type = '', labels = '']) => [
      name,
      `${type} ${[...labels.matchAll(/`(\w+)`/g)]
        .map(([, label = '']) => label)
        .sort()
        .join(' ')}`,
    ]),
  );
}

describe('docs/reference/metrics.md', () => {
  it('names every metric that is served, with its type and labels, and no other', async () => {
    expect(documentedMetrics()).toEqual(await servedMetrics());
  });
});
