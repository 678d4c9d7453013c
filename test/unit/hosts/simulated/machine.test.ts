import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MachineRoom } from '../../../../src/hosts/simulated/machine.ts';
import { Bench, readMarker, SIGNAL, writeMarker } from '../../../contract/host-storage/bench.ts';
import { RecordingLogger } from '../../../support/recording-logger.ts';
import { simulatedHost } from '../../../support/simulated-host.ts';

describe('the simulated machine', () => {
  let world: Awaited<ReturnType<typeof simulatedHost>>;
  let bench: Bench;

  beforeEach(async () => {
    world = await simulatedHost();
    bench = new Bench(world);
  });

  afterEach(async () => {
    await world.cleanup();
  });

  it('law 8: takes the files of an unplugged disk from nobody who is flushing them', async () => {
    const { disk, number, path } = await bench.mountedVolume();
    await writeMarker(path);
    const room = new MachineRoom(world.disks, new RecordingLogger());
    await room.withDisk(number, async () => {
      await world.unplugDisk(disk);
      const { disks } = await room.enter();
      expect(disks.disks).toEqual([]);
      await expect(readMarker(path)).resolves.toBe('kept');
    });
    await room.enter();
    await expect(readdir(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('does what concerns one disk one after the other', async () => {
    const { number } = await bench.onlineDisk();
    const room = new MachineRoom(world.disks, new RecordingLogger());
    const steps: string[] = [];
    const act = (name: string): Promise<void> =>
      room.withDisk(number, async () => {
        steps.push(`${name} begins`);
        await bench.host.disks.listDiskIds(SIGNAL);
        steps.push(`${name} ends`);
      });
    await Promise.all([act('one'), act('two')]);
    expect(steps).toHaveLength(4);
    expect(steps[1]).toBe(steps[0]?.replace('begins', 'ends'));
  });
});
