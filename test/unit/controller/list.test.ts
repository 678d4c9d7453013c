import { beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_PAGE_ENTRIES } from '../../../src/controller/list.ts';
import { volumeIdFor } from '../../../src/core/ids.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import {
  controllerWorld,
  type ControllerWorld,
  makeSnapshot,
  makeVolume,
  MOUNT,
  NODE_A,
} from '../../support/controller-world.ts';

const api = loadCsiApi();
const sorted = (ids: readonly string[]) => [...ids].sort();

describe('ListVolumes', () => {
  let world: ControllerWorld;
  let ids: string[];
  beforeEach(async () => {
    world = controllerWorld(api);
    ids = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push(await makeVolume(world, name));
    ids.sort();
  });

  const list = async (max_entries: number, starting_token = '') => {
    const { entries, next_token } = await world.call('ListVolumes', { max_entries, starting_token });
    return { ids: entries.map(({ volume }) => volume?.volume_id), next_token };
  };

  it('lists all at once when no limit is set', async () => {
    expect(await list(0)).toStrictEqual({ ids, next_token: '' });
  });

  it('lists nothing of an empty pool', async () => {
    const { entries, next_token } = await controllerWorld(api).call('ListVolumes', {});
    expect({ entries, next_token }).toStrictEqual({ entries: [], next_token: '' });
  });

  it.each([
    [2, [2, 2, 1]],
    [5, [5]],
    [100, [5]],
  ])('pages of %d', async (size, expected) => {
    const seen: unknown[] = [];
    const sizes: number[] = [];
    let token = '';
    do {
      const page = await list(size, token);
      seen.push(...page.ids);
      sizes.push(page.ids.length);
      token = page.next_token;
    } while (token !== '');
    expect(seen).toStrictEqual(ids);
    expect(sizes).toStrictEqual(expected);
  });

  it('goes on with the same token after the last entry of the page was deleted', async () => {
    const first = await list(2);
    await world.call('DeleteVolume', { volume_id: ids[1] ?? '' });
    expect((await list(0, first.next_token)).ids).toStrictEqual(ids.slice(2));
    expect((await list(0, first.next_token)).ids).toStrictEqual(ids.slice(2));
  });

  it('asks the backend for no more than a page', async () => {
    const limits: number[] = [];
    const inner = world.backend.listVolumes.bind(world.backend);
    world.backend.listVolumes = (query) => {
      limits.push(query.limit);
      return inner(query);
    };
    await list(2);
    await list(0);
    await list(2_000_000_000);
    expect(limits).toStrictEqual([2, MAX_PAGE_ENTRIES, MAX_PAGE_ENTRIES]);
  });

  it('says where a volume is attached and how it is', async () => {
    const volume_id = volumeIdFor('a');
    await world.call('ControllerPublishVolume', { volume_id, node_id: NODE_A, volume_capability: MOUNT });
    world.backend.setCondition(volume_id, { abnormal: true, message: 'its image is gone' });
    const { entries } = await world.call('ListVolumes', {});
    const entry = entries.find(({ volume }) => volume?.volume_id === volume_id);
    expect(entry?.status).toStrictEqual({
      published_node_ids: [NODE_A],
      volume_condition: { abnormal: true, message: 'its image is gone' },
    });
  });

  it('refuses a token of ListSnapshots', async () => {
    const snapshots = [
      await makeSnapshot(world, 's1', volumeIdFor('a')),
      await makeSnapshot(world, 's2', volumeIdFor('a')),
    ];
    expect(snapshots).toHaveLength(2);
    const { next_token } = await world.call('ListSnapshots', { max_entries: 1 });
    await expect(list(0, next_token)).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('ListSnapshots', () => {
  let world: ControllerWorld;
  let ofA: string[];
  let ofB: string[];
  const volumeA = volumeIdFor('a');
  const volumeB = volumeIdFor('b');
  beforeEach(async () => {
    world = controllerWorld(api);
    await makeVolume(world, 'a');
    await makeVolume(world, 'b');
    ofA = [];
    ofB = [];
    for (const name of ['1', '2', '3', '4', '5']) {
      ofA.push(await makeSnapshot(world, `a${name}`, volumeA));
      ofB.push(await makeSnapshot(world, `b${name}`, volumeB));
    }
  });

  const list = async (request: Parameters<typeof world.call<'ListSnapshots'>>[1]) => {
    const { entries, next_token } = await world.call('ListSnapshots', request);
    return { ids: entries.map(({ snapshot }) => snapshot?.snapshot_id), next_token };
  };

  it('lists all', async () => {
    expect((await list({})).ids).toStrictEqual(sorted([...ofA, ...ofB]));
  });

  it('two, then all the rest at once', async () => {
    const first = await list({ max_entries: 2 });
    const rest = await list({ starting_token: first.next_token });
    expect([...first.ids, ...rest.ids]).toStrictEqual(sorted([...ofA, ...ofB]));
    expect(rest.next_token).toBe('');
  });

  it('those of one volume, in pages', async () => {
    const first = await list({ source_volume_id: volumeA, max_entries: 2 });
    const rest = await list({ source_volume_id: volumeA, starting_token: first.next_token });
    expect([...first.ids, ...rest.ids]).toStrictEqual(sorted(ofA));
  });

  it('refuses a token that was given for another filter', async () => {
    const { next_token } = await list({ source_volume_id: volumeA, max_entries: 2 });
    const others = [
      { starting_token: next_token },
      { starting_token: next_token, source_volume_id: volumeB },
      { starting_token: next_token, snapshot_id: ofA[0] ?? '' },
    ];
    for (const request of others) {
      await expect(list(request)).rejects.toMatchObject({ code: 'aborted' });
    }
  });

  it('one by its id', async () => {
    const [id = ''] = ofA;
    expect(await list({ snapshot_id: id })).toStrictEqual({ ids: [id], next_token: '' });
    expect((await list({ snapshot_id: id, source_volume_id: volumeA })).ids).toStrictEqual([id]);
  });

  it.each([
    ['an unknown snapshot', { snapshot_id: 'snap-none' }],
    ['a snapshot id that is a path', { snapshot_id: '../..' }],
    ['an unknown volume', { source_volume_id: 'vol-none' }],
    ['a volume id that is a path', { source_volume_id: '../..' }],
  ])('nothing for %s', async (_what, request) => {
    expect(await list(request)).toStrictEqual({ ids: [], next_token: '' });
  });

  it('nothing for a snapshot of another volume', async () => {
    expect((await list({ snapshot_id: ofA[0] ?? '', source_volume_id: volumeB })).ids).toStrictEqual([]);
  });
});
