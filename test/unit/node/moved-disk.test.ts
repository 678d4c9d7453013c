import { describe, expect, it } from '@jest/globals';
import { asHostVolumeId, asVolumeId } from '../../../src/core/ids.ts';
import type { MemoryDisk } from '../../support/in-memory-host.ts';
import { NodeWorld, STAGING, TARGET, VOLUME } from '../../support/node-world.ts';

const OTHER = asVolumeId('vol-other');
const OTHER_STAGING = '/kubelet/other';

/** Two disks of ours; the second one has been staged, holds data, and is unstaged again. */
async function twoDisks(): Promise<{ world: NodeWorld; other: MemoryDisk }> {
  const world = new NodeWorld();
  const other = world.host.plug({ serialNumber: 'serial-2', page83: 'naa.6002' });
  const publish_context = world.contextOf(other, { state: 'blank', found: 'nothing', fileSystemBytes: 0n });
  world.host.paths.set(OTHER_STAGING, { kind: 'folder' });
  const request = { volume_id: OTHER, staging_target_path: OTHER_STAGING };
  await world.stage({ ...request, publish_context });
  world.write(OTHER_STAGING, 'a', 'of another pod');
  await world.unstage(request);
  return { world, other };
}

/** The two change their numbers after the first look at the disks: disks came and went, or the CSI Proxy was started anew. */
function moveAfterLook(world: NodeWorld, other: MemoryDisk): void {
  let looks = 0;
  world.interfere = async ({ method }, run) => {
    const answer = await run();
    if (method === 'listDiskIds' && ++looks === 1) {
      [world.disk.number, other.number] = [other.number, world.disk.number];
      other.online = true;
    }
    return answer;
  };
}

async function expectNotMounted(world: NodeWorld): Promise<void> {
  await expect(world.stage()).rejects.toMatchObject({ code: 'unavailable' });
  expect(world.read(STAGING, 'a')).toBeUndefined();
  expect((await world.record())?.phase).not.toBe('staged');
  await world.stage();
  world.write(STAGING, 'b', 'kept');
  await world.publish();
  expect(world.read(TARGET, 'a')).toBeUndefined();
}

describe('a disk that gets another number in the middle of a call', () => {
  it('law 2: blank, its volume is not taken for that of the disk that has its number now', async () => {
    const { world, other } = await twoDisks();
    moveAfterLook(world, other);
    await expectNotMounted(world);
  });

  it('law 2: blank, nor when the journal does not know the other one', async () => {
    const { world, other } = await twoDisks();
    await world.journal.remove(OTHER);
    moveAfterLook(world, other);
    await expectNotMounted(world);
  });

  it('law 2: formatted before on this node', async () => {
    const { world, other } = await twoDisks();
    await world.stage();
    await world.unstage();
    moveAfterLook(world, other);
    await expectNotMounted(world);
  });

  it('law 2: formatted elsewhere', async () => {
    const { world, other } = await twoDisks();
    world.host.addVolume(world.disk, { formatted: true });
    world.publishContext = world.contextOf(world.disk, {
      state: 'ntfs',
      found: 'NTFS',
      fileSystemBytes: 1007n * 1024n * 1024n,
    });
    moveAfterLook(world, other);
    await expectNotMounted(world);
  });

  it('a volume that has another id by now is staged when its disk has not moved', async () => {
    const { world } = await twoDisks();
    await world.stage();
    await world.unstage();
    const record = await world.record();
    if (record !== undefined)
      await world.journal.write({ ...record, hostVolumeId: asHostVolumeId('\\\\?\\Volume{0}\\') });
    await world.stage();
    expect(await world.record()).toMatchObject({ volumeId: VOLUME, phase: 'staged' });
  });

  it('law 2: NodeUnstage takes that disk offline, not the one that has its number now', async () => {
    const { world, other } = await twoDisks();
    other.online = true;
    await world.stage();
    world.interfere = async ({ method }, run) => {
      const answer = await run();
      if (method === 'unmountVolume') [world.disk.number, other.number] = [other.number, world.disk.number];
      return answer;
    };
    await world.unstage();
    expect(other.online).toBe(true);
    expect(world.disk.online).toBe(false);
  });
});
