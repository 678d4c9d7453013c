import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GIB } from '../../../src/core/capacity.ts';
import { StorageError } from '../../../src/core/errors.ts';
import { snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import type { DiskBackend } from '../../../src/core/ports/disk-backend.ts';
import type { VolumeContentSource } from '../../../src/gen/csi/csi/v1/VolumeContentSource.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import {
  controllerWorld,
  type ControllerWorld,
  createRequest,
  MOUNT,
  NODE_A,
  NODE_B,
} from '../../support/controller-world.ts';
import { ControllerModel, type ModelSource, type ModelState, type Step } from './controller-model.ts';

const api = loadCsiApi();

const volume = fc.constantFrom('a', 'b', 'c');
const snapshot = fc.constantFrom('s', 't');
const node = fc.constantFrom(NODE_A, NODE_B);
const bytes = fc.integer({ min: 1, max: 3 }).map((gib) => BigInt(gib) * GIB);
const source: fc.Arbitrary<ModelSource> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<ModelSource>('none') },
  { weight: 1, arbitrary: volume.map((name): ModelSource => `volume ${name}`) },
  { weight: 1, arbitrary: snapshot.map((name): ModelSource => `snapshot ${name}`) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('create'), name: volume, bytes, source }),
  fc.record({ do: fc.constant('delete'), name: volume }),
  fc.record({ do: fc.constant('publish'), name: volume, node }),
  fc.record({ do: fc.constant('unpublish'), name: volume, node: fc.oneof(node, fc.constant('')) }),
  fc.record({ do: fc.constant('expand'), name: volume, bytes }),
  fc.record({ do: fc.constant('snapshot'), name: snapshot, volume }),
  fc.record({ do: fc.constant('delete snapshot'), name: snapshot }),
);

/** How often the caller repeats a step, and whether the first answer is lost after the pool has done its work. */
const turn = fc.record({ step, repeats: fc.nat(2), answerLost: fc.boolean() });

type Answer = { readonly answer: unknown } | { readonly code: string };

async function run({ call }: ControllerWorld, asked: Step): Promise<unknown> {
  switch (asked.do) {
    case 'create':
      return call(
        'CreateVolume',
        createRequest(asked.name, {
          capacity_range: { required_bytes: asked.bytes.toString() },
          volume_content_source: wireSource(asked.source),
        }),
      );
    case 'delete':
      return call('DeleteVolume', { volume_id: volumeIdFor(asked.name) });
    case 'publish':
      return call('ControllerPublishVolume', {
        volume_id: volumeIdFor(asked.name),
        node_id: asked.node,
        volume_capability: MOUNT,
      });
    case 'unpublish':
      return call('ControllerUnpublishVolume', { volume_id: volumeIdFor(asked.name), node_id: asked.node });
    case 'expand':
      return call('ControllerExpandVolume', {
        volume_id: volumeIdFor(asked.name),
        capacity_range: { required_bytes: asked.bytes.toString() },
      });
    case 'snapshot':
      return call('CreateSnapshot', { name: asked.name, source_volume_id: volumeIdFor(asked.volume) });
    case 'delete snapshot':
      return call('DeleteSnapshot', { snapshot_id: snapshotIdFor(asked.name) });
  }
}

async function answerTo(world: ControllerWorld, asked: Step): Promise<Answer> {
  try {
    return { answer: await run(world, asked) };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { code: error.code };
  }
}

function wireSource(from: ModelSource): VolumeContentSource | null {
  const [kind, name = ''] = from.split(' ');
  if (kind === 'none') return null;
  return kind === 'volume'
    ? { volume: { volume_id: volumeIdFor(name) } }
    : { snapshot: { snapshot_id: snapshotIdFor(name) } };
}

/** What the controller's own lists say, page by page. */
async function listed({ call }: ControllerWorld): Promise<ModelState> {
  const volumes = [];
  for (let token = '', first = true; first || token !== ''; first = false) {
    const page = await call('ListVolumes', { max_entries: 2, starting_token: token });
    volumes.push(...page.entries);
    token = page.next_token;
  }
  const snapshots = await call('ListSnapshots', {});
  return {
    volumes: volumes.map(({ volume: one, status }) => ({
      id: one?.volume_id ?? '',
      bytes: one?.capacity_bytes ?? '',
      source: listedSource(one?.content_source ?? null),
      nodes: status?.published_node_ids ?? [],
    })),
    snapshots: snapshots.entries.map(({ snapshot: one }) => ({
      id: one?.snapshot_id ?? '',
      bytes: one?.size_bytes ?? '',
      volume: one?.source_volume_id ?? '',
    })),
  };
}

function listedSource(from: VolumeContentSource | null): string {
  if (from?.snapshot) return `snapshot ${from.snapshot.snapshot_id ?? ''}`;
  return from?.volume ? `volume ${from.volume.volume_id ?? ''}` : 'none';
}

const CHANGES: ReadonlySet<string> = new Set([
  'createVolume',
  'deleteVolume',
  'expandVolume',
  'createSnapshot',
  'deleteSnapshot',
  'attach',
  'detach',
]);

/** A pool whose next change is done and then not answered, as when the driver is killed in between. */
class AnswerLoser {
  armed = false;

  around = (pool: DiskBackend): DiskBackend =>
    new Proxy(pool, {
      get: (target, property): unknown => {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        const method = value as (...args: unknown[]) => unknown;
        if (!CHANGES.has(String(property))) return method.bind(target);
        return async (...args: unknown[]) => {
          const lose = this.armed;
          this.armed = false;
          const answer = await method.apply(target, args);
          if (lose) throw new StorageError('unavailable', 'the answer was lost');
          return answer;
        };
      },
    });
}

describe('the controller, for any sequence of calls', () => {
  it('law 3: behaves as the model, a repeat gets the same answer and a lost answer is recovered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 25 }), async (turns) => {
        const loser = new AnswerLoser();
        const world = controllerWorld(api, { around: loser.around });
        const model = new ControllerModel();
        for (const { step: asked, repeats, answerLost } of turns) {
          loser.armed = answerLost;
          if (answerLost) await answerTo(world, asked);
          loser.armed = false;
          const expected = model.apply(asked);
          const first = await answerTo(world, asked);
          expect('code' in first ? first.code : 'ok').toBe(expected);
          for (let again = 0; again < repeats; again += 1) {
            expect(await answerTo(world, asked)).toStrictEqual(first);
          }
          expect(await listed(world)).toStrictEqual(model.state());
        }
      }),
      { numRuns: 150 },
    );
  });
});
