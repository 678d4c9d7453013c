import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { either, readMarker, SIGNAL, writeMarker } from './bench.ts';
import type { Bench, MountedVolume } from './bench.ts';

export function describeLinkSafety(bench: () => Bench): void {
  describe('law 4: removing never goes through a link', () => {
    describeLinks(bench);
    describeMountPoints(bench);
  });
}

/** A folder `outside` with a file in it, and a folder `inside` with a link to it. */
async function linkedFolders(bench: Bench): Promise<{ outside: string; inside: string; link: string }> {
  const folder = await bench.hands.tempPath();
  const outside = join(folder, 'outside');
  const inside = join(folder, 'inside');
  await mkdir(outside);
  await mkdir(join(inside, 'deep'), { recursive: true });
  await writeMarker(outside);
  const link = join(inside, 'deep', 'link');
  await symlink(outside, link);
  return { outside, inside, link };
}

function describeLinks(bench: () => Bench): void {
  it.each([false, true])('law 4: removes a link itself, not what it points to (force: %s)', async (force) => {
    const { files } = bench().host;
    const { outside, link } = await linkedFolders(bench());
    await files.rmdir(link, force, SIGNAL);
    await expect(files.pathExists(link, SIGNAL)).resolves.toBe(false);
    await expect(readMarker(outside)).resolves.toBe('kept');
  });

  it('law 4: removes a dangling link', async () => {
    const { files } = bench().host;
    const folder = await bench().hands.tempPath();
    await symlink(join(folder, 'missing'), join(folder, 'dangling'));
    await files.rmdir(join(folder, 'dangling'), false, SIGNAL);
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  it('law 4: removes a tree by force, but not through a link in it', async () => {
    const { outside, inside } = await linkedFolders(bench());
    await bench().host.files.rmdir(inside, true, SIGNAL);
    await expect(bench().host.files.pathExists(inside, SIGNAL)).resolves.toBe(false);
    await expect(readMarker(outside)).resolves.toBe('kept');
  });

  it('law 4: empties a directory, but not through a link in it', async () => {
    const { outside, inside } = await linkedFolders(bench());
    if (await bench().refuses('rmdirContents', (host) => host.files.rmdirContents(inside, SIGNAL))) return;
    await bench().host.files.rmdirContents(inside, SIGNAL);
    await expect(readdir(inside)).resolves.toEqual([]);
    await expect(readMarker(outside)).resolves.toBe('kept');
  });

  it('law 4: does not empty a directory it is given a link to', async () => {
    const { outside, link } = await linkedFolders(bench());
    await either(bench().host.files.rmdirContents(link, SIGNAL));
    await expect(readMarker(outside)).resolves.toBe('kept');
  });
}

function describeMountPoints(bench: () => Bench): void {
  /** The volume's files are there, wherever it is mounted next. */
  const expectFilesKept = async ({ volume, path }: MountedVolume): Promise<void> => {
    const { files, volumes } = bench().host;
    if ((await files.pathExists(path, SIGNAL)) && (await files.isSymlink(path, SIGNAL))) {
      await volumes.unmountVolume(volume, path, SIGNAL);
    }
    await expect(readMarker(await bench().mount(volume))).resolves.toBe('kept');
  };

  it('law 4: removes a mount point itself, and the volume keeps its files', async () => {
    const { files } = bench().host;
    const mounted = await bench().mountedVolume();
    await writeMarker(mounted.path);
    await files.rmdir(mounted.path, false, SIGNAL);
    await expect(files.pathExists(mounted.path, SIGNAL)).resolves.toBe(false);
    await expectFilesKept(mounted);
  });

  it.each(['rmdir', 'rmdirContents'] as const)(
    'law 4: %s of a folder with a mount point in it leaves the volume its files',
    async (method) => {
      const { files } = bench().host;
      const mounted = await bench().mountedVolume();
      await writeMarker(mounted.path);
      const parent = join(mounted.path, '..');
      await either(
        method === 'rmdir' ? files.rmdir(parent, true, SIGNAL) : files.rmdirContents(parent, SIGNAL),
      );
      await expectFilesKept(mounted);
    },
  );
}
