import { describe, expect, it } from '@jest/globals';
import { asDiskNumber } from '../../../src/core/ids.ts';
import type { ApiVersion, Pipe } from '../../../src/proxyapi/api-versions.ts';
import { servePipes } from '../../support/pipe-server.ts';
import { withProxyClient } from '../../support/proxy-client.ts';

const signal = new AbortController().signal;
const disk = (version: ApiVersion): Pipe => ({ group: 'disk', version });
const OLD = {
  ListDiskIDs: () => ({ diskIDs: { '3': { identifiers: { page83: 'a', serialNumber: 's' } } } }),
};
const NEW = { ListDiskIDs: () => ({ diskIDs: { 3: { page83: 'a', serial_number: 's' } } }) };
const TABLE = new Map([[asDiskNumber(3), { page83: 'a', serialNumber: 's' }]]);

describe('a CSI Proxy that comes back as another version', () => {
  it.each([
    ['before the loss was noticed', 0],
    ['after it', 100],
  ])(
    'law 10: is negotiated with anew after an upgrade, though its old pipe is there again: %s',
    async (_when, ms) => {
      await withProxyClient({}, async ({ host, pipeDir, observer, log }) => {
        const old = await servePipes(pipeDir, [disk('v1beta2')], OLD);
        expect(await host.disks.listDiskIds(signal)).toEqual(TABLE);
        old.kill();
        const upgraded = await servePipes(pipeDir, [disk('v1'), disk('v1beta2')], NEW);
        await new Promise((go) => setTimeout(go, ms));
        expect(await host.disks.listDiskIds(signal)).toEqual(TABLE);
        expect(upgraded.asked).toEqual(['disk v1 ListDiskIDs']);
        expect(observer.versions).toEqual(['disk v1beta2', 'disk -', 'disk v1']);
        expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
        upgraded.kill();
      });
    },
  );

  it('law 10: is negotiated with anew after a downgrade', async () => {
    await withProxyClient({}, async ({ host, pipeDir, observer }) => {
      const now = await servePipes(pipeDir, [disk('v1'), disk('v1beta2')], NEW);
      expect(await host.disks.listDiskIds(signal)).toEqual(TABLE);
      await now.leave();
      const older = await servePipes(pipeDir, [disk('v1beta2')], OLD);
      expect(await host.disks.listDiskIds(signal)).toEqual(TABLE);
      expect(older.asked).toEqual(['disk v1beta2 ListDiskIDs']);
      expect(observer.versions).toEqual(['disk v1', 'disk -', 'disk v1beta2']);
      older.kill();
    });
  });
});
