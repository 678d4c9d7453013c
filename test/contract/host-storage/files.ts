import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MARKER, readMarker, SIGNAL, writeMarker } from './bench.ts';
import type { Bench } from './bench.ts';

export function describeFiles(bench: () => Bench): void {
  describe('paths', () => {
    describeKinds(bench);
    describeMaking(bench);
    describeRemoving(bench);
  });
}

/** One thing of each kind, by name, and whether it exists and is a link to something that is there. */
const KINDS: readonly (readonly [kind: string, exists: boolean, isSymlink: boolean])[] = [
  ['directory', true, false],
  ['link to a directory', true, true],
  ['link to a link', true, true],
  ['dangling link', true, false],
  ['mount point', true, true],
  ['link to a mount point', true, true],
  ['former mount point', true, false],
];

async function makeKinds(bench: Bench): Promise<ReadonlyMap<string, string>> {
  const folder = await bench.hands.tempPath();
  const at = (name: string): string => join(folder, name);
  await mkdir(at('directory'));
  await symlink(at('directory'), at('link'));
  await symlink(at('link'), at('link-to-link'));
  await mkdir(at('gone'));
  await symlink(at('gone'), at('dangling'));
  await rm(at('gone'), { recursive: true });
  const { path } = await bench.mountedVolume();
  await symlink(path, at('pod'));
  const former = await bench.mountedVolume();
  await bench.host.volumes.unmountVolume(former.volume, former.path, SIGNAL);
  return new Map([
    ['directory', at('directory')],
    ['link to a directory', at('link')],
    ['link to a link', at('link-to-link')],
    ['dangling link', at('dangling')],
    ['mount point', path],
    ['link to a mount point', at('pod')],
    ['former mount point', former.path],
  ]);
}

function describeKinds(bench: () => Bench): void {
  it('tells what exists and what is a link or mount point whose target is there', async () => {
    const { files } = bench().host;
    const paths = await makeKinds(bench());
    const found: unknown[] = [];
    for (const [kind, path] of paths) {
      found.push([kind, await files.pathExists(path, SIGNAL), await files.isSymlink(path, SIGNAL)]);
    }
    expect(found).toEqual(KINDS);
  });

  it('has no missing path, and cannot tell whether it is a link', async () => {
    const { files } = bench().host;
    const missing = join(await bench().hands.tempPath(), 'missing');
    await expect(files.pathExists(missing, SIGNAL)).resolves.toBe(false);
    await expect(files.isSymlink(missing, SIGNAL)).rejects.toThrow();
  });
}

function describeMaking(bench: () => Bench): void {
  it('law 3: makes a directory with its parents, and again as a no-op', async () => {
    const { files } = bench().host;
    const path = join(await bench().hands.tempPath(), 'kubernetes.io~csi', 'pvc-1', 'mount');
    await files.mkdir(path, SIGNAL);
    await writeMarker(path);
    await files.mkdir(path, SIGNAL);
    await expect(readMarker(path)).resolves.toBe('kept');
  });

  it('makes no directory where a file is', async () => {
    const folder = await bench().hands.tempPath();
    await writeMarker(folder);
    await expect(bench().host.files.mkdir(join(folder, MARKER), SIGNAL)).rejects.toThrow();
  });

  it('links to a directory', async () => {
    const { files } = bench().host;
    const folder = await bench().hands.tempPath();
    await mkdir(join(folder, 'source'));
    await writeMarker(join(folder, 'source'));
    await files.createSymlink(join(folder, 'source'), join(folder, 'target'), SIGNAL);
    await expect(files.isSymlink(join(folder, 'target'), SIGNAL)).resolves.toBe(true);
    await expect(readMarker(join(folder, 'target'))).resolves.toBe('kept');
  });

  it('makes no link over what is there', async () => {
    const { files } = bench().host;
    const folder = await bench().hands.tempPath();
    await mkdir(join(folder, 'source'));
    await mkdir(join(folder, 'directory'));
    await symlink(join(folder, 'source'), join(folder, 'link'));
    await symlink(join(folder, 'missing'), join(folder, 'dangling'));
    await writeMarker(folder);
    for (const name of ['directory', 'link', 'dangling', MARKER]) {
      await expect(files.createSymlink(join(folder, 'source'), join(folder, name), SIGNAL)).rejects.toThrow();
    }
    await expect(readdir(join(folder, 'source'))).resolves.toEqual([]);
    await expect(readdir(join(folder, 'directory'))).resolves.toEqual([]);
  });

  it('makes no link in a missing directory', async () => {
    const folder = await bench().hands.tempPath();
    const target = join(folder, 'missing', 'target');
    await expect(bench().host.files.createSymlink(folder, target, SIGNAL)).rejects.toThrow();
  });
}

function describeRemoving(bench: () => Bench): void {
  it('removes an empty directory', async () => {
    const { files } = bench().host;
    const path = await bench().stagingPath();
    await files.rmdir(path, false, SIGNAL);
    await expect(files.pathExists(path, SIGNAL)).resolves.toBe(false);
  });

  it('removes a full directory only by force', async () => {
    const { files } = bench().host;
    const path = await bench().stagingPath();
    await mkdir(join(path, 'foo', 'bar'), { recursive: true });
    await writeMarker(join(path, 'foo'));
    await expect(files.rmdir(path, false, SIGNAL)).rejects.toThrow();
    await expect(readMarker(join(path, 'foo'))).resolves.toBe('kept');
    await files.rmdir(path, true, SIGNAL);
    await expect(files.pathExists(path, SIGNAL)).resolves.toBe(false);
  });

  it('fails to remove a missing path, but by force that is fine', async () => {
    const { files } = bench().host;
    const missing = join(await bench().hands.tempPath(), 'missing');
    await expect(files.rmdir(missing, false, SIGNAL)).rejects.toThrow();
    await files.rmdir(missing, true, SIGNAL);
  });

  it('empties a directory', async () => {
    const { files } = bench().host;
    const folder = await bench().hands.tempPath();
    for (const path of ['foo/goo', 'foo/bar/baz', 'alpha/beta/gamma']) {
      await mkdir(join(folder, path), { recursive: true });
    }
    await writeMarker(folder);
    if (await bench().refuses('rmdirContents', (host) => host.files.rmdirContents(folder, SIGNAL))) return;
    await files.rmdirContents(folder, SIGNAL);
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  it('cannot empty a missing directory', async () => {
    const missing = join(await bench().hands.tempPath(), 'missing');
    await expect(bench().host.files.rmdirContents(missing, SIGNAL)).rejects.toThrow();
  });
}
