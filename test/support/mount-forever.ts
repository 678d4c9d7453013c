import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asDiskNumber } from '../../src/core/ids.ts';
import { simulatedHostStorage } from '../../src/hosts/simulated/simulated-host-storage.ts';
import { RecordingLogger } from './recording-logger.ts';

/**
 * A process that mounts a volume on disk 1, writes to it, flushes and unmounts it, again and again, until it is
 * killed. Prints each round number once that round's write has been flushed.
 */
async function main(attachDir: string, stateDir: string, path: string): Promise<void> {
  const { disks, volumes } = simulatedHostStorage({ log: new RecordingLogger() }, { attachDir, stateDir });
  const { signal } = new AbortController();
  const number = asDiskNumber(1);
  await disks.setDiskState(number, true, signal);
  const [volume] = await volumes.listVolumesOnDisk(number, 0, signal);
  if (volume === undefined) throw new Error('disk 1 has no volume');
  for (let round = 1; ; round++) {
    await volumes.mountVolume(volume, path, signal);
    await writeFile(join(path, 'round.new'), round.toString());
    await rename(join(path, 'round.new'), join(path, 'round'));
    await volumes.writeVolumeCache(volume, signal);
    process.stdout.write(`${round}\n`);
    await volumes.unmountVolume(volume, path, signal);
    await disks.setDiskState(number, false, signal);
    await disks.setDiskState(number, true, signal);
  }
}

const [attachDir = '', stateDir = '', path = ''] = process.argv.slice(2);
main(attachDir, stateDir, path).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
