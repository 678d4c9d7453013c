import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { either, expectVolumeAt, MARKER, readMarker, SIGNAL, writeMarker } from './bench.ts';
import type { HostVolumeId } from '../../../src/core/ids.ts';
import type { HostStorage } from '../../../src/core/ports/host-storage.ts';
import type { Bench } from './bench.ts';

export function describeMounts(bench: () => Bench): void {
  describe('mounts', () => {
    describeMounting(bench);
    describeUnmounting(bench);
    describeLookup(bench);
  });
}

function describeMounting(bench: () => Bench): void {
  it('mounts at an empty directory, and has its files again at another', async () => {
    const { volumes } = bench().host;
    const { volume, path } = await bench().mountedVolume();
    await mkdir(join(path, 'folder', 'empty'), { recursive: true });
    await writeFile(join(path, 'folder', 'Grüße 世界.txt'), Buffer.from([0, 255, 10, 13]));
    await writeMarker(path);
    await volumes.unmountVolume(volume, path, SIGNAL);
    const again = await bench().mount(volume);
    await expect(readMarker(again)).resolves.toBe('kept');
    expect((await readdir(join(again, 'folder'))).sort()).toEqual(['Grüße 世界.txt', 'empty']);
    await expect(readdir(join(again, 'folder', 'empty'))).resolves.toEqual([]);
  });

  it('law 3: mounting again where it is mounted leaves it mounted, whether that succeeds or fails', async () => {
    const { files, volumes } = bench().host;
    const { volume, path } = await bench().mountedVolume();
    await writeMarker(path);
    await either(volumes.mountVolume(volume, path, SIGNAL));
    await expect(files.isSymlink(path, SIGNAL)).resolves.toBe(true);
    await expectVolumeAt(bench(), path, volume);
    await expect(readMarker(path)).resolves.toBe('kept');
  });

  it('refuses a missing directory', async () => {
    const { volume } = await bench().formattedVolume();
    const path = join(await bench().hands.tempPath(), 'missing');
    await expect(bench().host.volumes.mountVolume(volume, path, SIGNAL)).rejects.toThrow();
  });

  it('refuses a directory that is not empty, and leaves it alone', async () => {
    const { volume } = await bench().formattedVolume();
    const path = await bench().stagingPath();
    await writeMarker(path);
    await expect(bench().host.volumes.mountVolume(volume, path, SIGNAL)).rejects.toThrow();
    await expect(readdir(path)).resolves.toEqual([MARKER]);
  });

  it('refuses a file', async () => {
    const { volume } = await bench().formattedVolume();
    const folder = await bench().hands.tempPath();
    await writeMarker(folder);
    const { volumes } = bench().host;
    await expect(volumes.mountVolume(volume, join(folder, MARKER), SIGNAL)).rejects.toThrow();
    await expect(readMarker(folder)).resolves.toBe('kept');
  });

  it('refuses a directory where another volume is mounted', async () => {
    const { volumes } = bench().host;
    const mounted = await bench().mountedVolume();
    await writeMarker(mounted.path);
    const other = await bench().formattedVolume();
    await expect(volumes.mountVolume(other.volume, mounted.path, SIGNAL)).rejects.toThrow();
    await expectVolumeAt(bench(), mounted.path, mounted.volume);
    await expect(readMarker(mounted.path)).resolves.toBe('kept');
  });
}

function describeUnmounting(bench: () => Bench): void {
  it('leaves the empty directory', async () => {
    const { files, volumes } = bench().host;
    const { volume, path } = await bench().mountedVolume();
    await writeMarker(path);
    await volumes.unmountVolume(volume, path, SIGNAL);
    await expect(files.pathExists(path, SIGNAL)).resolves.toBe(true);
    await expect(files.isSymlink(path, SIGNAL)).resolves.toBe(false);
    await expect(readdir(path)).resolves.toEqual([]);
  });

  it('law 3: unmounting again leaves the directory and what is in it, whether that succeeds or fails', async () => {
    const { volumes } = bench().host;
    const { volume, path } = await bench().mountedVolume();
    await volumes.unmountVolume(volume, path, SIGNAL);
    await writeMarker(path);
    await either(volumes.unmountVolume(volume, path, SIGNAL));
    await expect(readdir(path)).resolves.toEqual([MARKER]);
    await expect(volumes.isVolumeFormatted(volume, SIGNAL)).resolves.toBe(true);
  });

  it('mounts at the same directory again', async () => {
    const { volumes } = bench().host;
    const { volume, path } = await bench().mountedVolume();
    for (const text of ['first', 'second']) {
      await writeMarker(path, text);
      await volumes.unmountVolume(volume, path, SIGNAL);
      await volumes.mountVolume(volume, path, SIGNAL);
      await expect(readMarker(path)).resolves.toBe(text);
    }
  });
}

function describeLookup(bench: () => Bench): void {
  it('finds the volume at a path, also through links to it', async () => {
    const { volume, path } = await bench().mountedVolume();
    const folder = await bench().hands.tempPath();
    await symlink(path, join(folder, 'pod'));
    await symlink(join(folder, 'pod'), join(folder, 'link-to-link'));
    for (const place of [path, join(folder, 'pod'), join(folder, 'link-to-link')]) {
      await expectVolumeAt(bench(), place, volume);
    }
  });

  it('finds no volume at a plain directory, at a missing path, or where it was mounted before', async () => {
    const { volumes } = bench().host;
    const { volume, path } = await bench().mountedVolume();
    const plain = await bench().stagingPath();
    await expect(volumes.getVolumeIdFromTargetPath(plain, SIGNAL)).rejects.toThrow();
    await expect(volumes.getVolumeIdFromTargetPath(join(plain, 'missing'), SIGNAL)).rejects.toThrow();
    await volumes.unmountVolume(volume, path, SIGNAL);
    await expect(volumes.getVolumeIdFromTargetPath(path, SIGNAL)).rejects.toThrow();
  });

  it('finds no volume of its disks behind a link to a plain directory', async () => {
    const { volume } = await bench().mountedVolume();
    const folder = await bench().hands.tempPath();
    await mkdir(join(folder, 'plain'));
    await symlink(join(folder, 'plain'), join(folder, 'link'));
    const look = ({ volumes }: HostStorage): Promise<HostVolumeId> =>
      volumes.getVolumeIdFromTargetPath(join(folder, 'link'), SIGNAL);
    if (await bench().refuses('getVolumeIdFromTargetPath', look)) return;
    const onSystemVolume = bench().hands.systemVolume === 'closest-and-links';
    await expectNoneOf(volume, look(bench().host), onSystemVolume);
  });

  it('finds the closest volume from below a mount point and through a link', async () => {
    const { volumes } = bench().host;
    const { volume, path } = await bench().mountedVolume();
    const nested = join(path, 'foo', 'bar');
    await mkdir(nested, { recursive: true });
    const folder = await bench().hands.tempPath();
    await symlink(path, join(folder, 'source'));
    await symlink(nested, join(folder, 'nested'));
    const refused = await bench().refuses('getClosestVolumeIdFromTargetPath', (host) =>
      host.volumes.getClosestVolumeIdFromTargetPath(nested, SIGNAL),
    );
    if (refused) return;
    for (const place of [
      path,
      nested,
      join(folder, 'source'),
      join(folder, 'nested'),
      join(folder, 'source', 'foo'),
    ]) {
      await expect(volumes.getClosestVolumeIdFromTargetPath(place, SIGNAL)).resolves.toBe(volume);
    }
    await expect(volumes.getClosestVolumeIdFromTargetPath(join(folder, 'missing'), SIGNAL)).rejects.toThrow();
    const elsewhere = volumes.getClosestVolumeIdFromTargetPath(folder, SIGNAL);
    await expectNoneOf(volume, elsewhere, bench().hands.systemVolume !== 'none');
  });
}

/** A path is on no volume of the disks under test: on none at all, or on that of the host's system drive. */
async function expectNoneOf(
  volume: HostVolumeId,
  found: Promise<HostVolumeId>,
  onSystemVolume: boolean,
): Promise<void> {
  const outcome = await found.catch(() => undefined);
  expect(outcome !== undefined).toBe(onSystemVolume);
  expect(outcome).not.toBe(volume);
}
