import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceError, status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import type { CsiService } from '../../../src/rpc/call.ts';
import { withCsiServer } from '../../support/csi-server.ts';

interface Held {
  readonly service: CsiService;
  readonly begun: Promise<AbortSignal>;
  readonly finish: () => void;
}

/** A NodeStageVolume that ends when it is told to; `obedient` also when its signal aborts. */
function heldStage(obedient: boolean): Held {
  let finish = (): void => undefined;
  let begin: (signal: AbortSignal) => void = () => undefined;
  const begun = new Promise<AbortSignal>((resolve) => (begin = resolve));
  const service: CsiService = {
    name: 'Node',
    methods: {
      NodeStageVolume: (_request, { signal }) =>
        new Promise((resolve, reject) => {
          finish = () => {
            resolve({});
          };
          if (obedient)
            signal.addEventListener('abort', () => {
              reject(signal.reason as Error);
            });
          begin(signal);
        }),
      NodeGetInfo: () => Promise.resolve({ node_id: 'n' }),
    },
    lockKeys: { NodeStageVolume: ({ volume_id: id }: { volume_id: string }) => [`node/${id}`] },
  };
  return {
    service,
    begun,
    finish: () => {
      finish();
    },
  };
}

const stage = {
  volume_id: 'vol-1',
  staging_target_path: '/stage',
  volume_capability: { mount: {}, access_mode: { mode: 'SINGLE_NODE_WRITER' } },
} as const;

const codeOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => status.OK,
    (error: unknown) => (error as ServiceError).code,
  );

describe('shutting down', () => {
  it('finishes what is under way, refuses what is new, and removes the socket', async () => {
    const held = heldStage(false);
    await withCsiServer([held.service], async ({ client, server, folder, calls, log }) => {
      const underWay = client.node.nodeStageVolume(stage);
      await held.begun;
      const stopped = server.stop(30);
      const refused = await client.node.nodeGetInfo({}).catch((error: unknown) => error as ServiceError);
      expect(refused).toMatchObject({
        code: status.UNAVAILABLE,
        details: expect.stringContaining('shutting down'),
      });
      held.finish();
      await expect(underWay).resolves.toEqual({});
      await stopped;
      await expect(lstat(join(folder, 'csi.sock'))).rejects.toMatchObject({ code: 'ENOENT' });
      expect(calls).toEqual([
        ['Node', 'NodeGetInfo', 'UNAVAILABLE'],
        ['Node', 'NodeStageVolume', 'OK'],
      ]);
      expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    });
  });

  it('aborts what does not end in time, and answers its caller', async () => {
    const held = heldStage(true);
    await withCsiServer([held.service], async ({ client, server, log, lock }) => {
      const underWay = codeOf(client.node.nodeStageVolume(stage));
      const signal = await held.begun;
      await server.stop(0.1);
      expect(signal.reason).toMatchObject({ code: 'unavailable' });
      await expect(underWay).resolves.toBe(status.UNAVAILABLE);
      expect(lock.size).toBe(0);
      expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    });
  });

  it('law 6: reports a handler that does not end at all, by method and key, and keeps its lock', async () => {
    const held = heldStage(false);
    await withCsiServer([held.service], async ({ client, server, log, lock }) => {
      const underWay = codeOf(client.node.nodeStageVolume(stage));
      await held.begun;
      await server.stop(0.1);
      await expect(underWay).resolves.toBe(status.UNAVAILABLE);
      expect(lock.size).toBe(1);
      expect(log.lines.filter(({ level }) => level === 'error')).toMatchObject([
        {
          fields: { method: 'NodeStageVolume', keys: ['node/vol-1'] },
          message: expect.stringMatching(/^NodeStageVolume is still at work/),
        },
      ]);
      held.finish();
    });
  });

  it('is over soon when nothing is under way, and may be asked for twice', async () => {
    await withCsiServer([heldStage(false).service], async ({ client, server }) => {
      await client.node.nodeGetInfo({});
      const begin = performance.now();
      await server.stop(30);
      await server.stop(30);
      expect(performance.now() - begin).toBeLessThan(1000);
    });
  });
});
