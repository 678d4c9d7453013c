import { describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
import { NodeWorld, STAGING, TARGET } from '../../support/node-world.ts';

/** A staged and published volume whose disk is too slow for its mount to be looked through in time. */
async function slowWorld(): Promise<NodeWorld> {
  const world = new NodeWorld();
  await world.stage();
  world.write(STAGING, 'a', 'kept');
  await world.publish();
  world.start();
  world.interfere = ({ method }, run) =>
    method === 'isSymlink'
      ? Promise.reject(new StorageError('deadline-exceeded', 'IsSymlink got no answer within 10 s'))
      : run();
  return world;
}

function requireUntouched(world: NodeWorld): void {
  expect(world.host.paths.has(TARGET)).toBe(true);
  expect(world.read(STAGING, 'a')).toBe('kept');
  expect(world.disk.online).toBe(true);
}

describe('a mount that nobody could look at in time', () => {
  it('law 12: is not swept as a stale one', async () => {
    const world = await slowWorld();
    await expect(world.sweep(true)).rejects.toMatchObject({ code: 'deadline-exceeded' });
    requireUntouched(world);
  });

  it('law 4: is not taken from below its pods by NodeUnstage', async () => {
    const world = await slowWorld();
    await expect(world.unstage()).rejects.toMatchObject({ code: 'deadline-exceeded' });
    requireUntouched(world);
  });
});
