import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { volumeIdFor } from '../../../src/core/ids.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import { controllerWorld, type ControllerWorld, makeVolume } from '../../support/controller-world.ts';

const api = loadCsiApi();

/** What happens between two pages. */
interface Interlude {
  readonly deleted: readonly string[];
  readonly created: readonly string[];
  readonly pageSize: number;
}

const name = fc.integer({ min: 0, max: 40 }).map((number) => `volume-${number}`);
const names = fc.uniqueArray(name, { maxLength: 8 });
const interlude: fc.Arbitrary<Interlude> = fc.record({
  deleted: names,
  created: names,
  pageSize: fc.integer({ min: 1, max: 7 }),
});

async function change(world: ControllerWorld, { deleted, created }: Interlude): Promise<void> {
  for (const gone of deleted) await world.call('DeleteVolume', { volume_id: volumeIdFor(gone) });
  for (const fresh of created) await makeVolume(world, fresh);
}

describe('ListVolumes in pages while volumes come and go', () => {
  it('shows every volume that was there throughout exactly once, and none twice', async () => {
    const start = fc.uniqueArray(name, { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        start,
        fc.array(interlude, { minLength: 1, maxLength: 6 }),
        async (initial, interludes) => {
          const world = controllerWorld(api);
          for (const one of initial) await makeVolume(world, one);

          const seen: string[] = [];
          const disturbed = new Set<string>();
          let token = '';
          for (let page = 0; page === 0 || token !== ''; page += 1) {
            const between = interludes[page];
            const request = { max_entries: between?.pageSize ?? 7, starting_token: token };
            const { entries, next_token } = await world.call('ListVolumes', request);
            seen.push(...entries.map(({ volume }) => volume?.volume_id ?? ''));
            token = next_token;
            if (between === undefined) continue;
            for (const gone of between.deleted) disturbed.add(gone);
            await change(world, between);
          }

          const survivors = initial
            .filter((one) => !disturbed.has(one))
            .map((one): string => volumeIdFor(one));
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen).toStrictEqual([...seen].sort());
          expect(survivors.filter((id) => !seen.includes(id))).toStrictEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });
});
