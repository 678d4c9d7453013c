import { writeFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import type { DiskContent } from '../../../src/core/content-state.ts';
import { examineImage } from '../../../src/backends/file/image-reader.ts';
import { inTempFolder } from '../../support/temp-folder.ts';
import { describeWhere, MKFS_EXT4 } from '../../support/requires.ts';
import { runTool } from '../../support/run-tool.ts';

/** What our content check says of an image that the system's own tools have made; each command ends with the image. */
function contentAfter(commands: readonly (readonly string[])[], stdin?: string): Promise<DiskContent> {
  return inTempFolder(async (folder) => {
    const image = `${folder}/disk.img`;
    await writeFile(image, '');
    await runTool('truncate', ['-s', `${320n * MIB}`, image]);
    for (const [command = '', ...options] of commands) {
      await runTool(command, [...options, image], stdin);
    }
    return examineImage(image);
  });
}

const needs = [
  MKFS_EXT4,
  { tool: 'mkfs.xfs', debianPackage: 'xfsprogs' },
  { tool: 'mkfs.btrfs', debianPackage: 'btrfs-progs' },
  { tool: 'mkfs.ntfs', debianPackage: 'ntfs-3g' },
  { tool: 'mkswap', debianPackage: 'util-linux' },
  { tool: 'sfdisk', debianPackage: 'fdisk' },
];

describeWhere(needs, 'law 1: disks that other tools have made', () => {
  it.each<[string, readonly string[], string]>([
    ['ext4', ['mkfs.ext4', '-q', '-F'], 'an ext4 file system'],
    ['ext3', ['mkfs.ext3', '-q', '-F'], 'an ext3 file system'],
    ['ext2', ['mkfs.ext2', '-q', '-F'], 'an ext2 file system'],
    ['XFS', ['mkfs.xfs', '-q'], 'an XFS file system'],
    ['Btrfs', ['mkfs.btrfs', '-q'], 'a Btrfs file system'],
    ['NTFS without a partition', ['mkfs.ntfs', '-Q', '-q', '-F'], 'an NTFS file system on the whole disk'],
    ['swap', ['mkswap', '-q'], 'Linux swap space'],
  ])('law 1: never takes %s for blank', async (_what, command, found) => {
    const content = await contentAfter([command]);
    expect(content).toMatchObject({ state: 'foreign', found: expect.stringContaining(found) });
  });

  it.each<[string, string, string]>([
    ['an MBR', 'label: dos\n,,83\n', 'an MBR partition table'],
    ['a GPT of Linux', 'label: gpt\n,,L\n', 'a GUID partition table with 1 partitions (Linux data)'],
  ])('law 1: never takes %s for blank', async (_what, script, found) => {
    const content = await contentAfter([['sfdisk', '-q', '--no-reread', '--no-tell-kernel']], script);
    expect(content).toMatchObject({ state: 'foreign', found: expect.stringContaining(found) });
  });

  it('law 1: takes the table of Windows, as sfdisk writes it, for blank', async () => {
    const script = [
      'label: gpt',
      'first-lba: 34',
      'start=34, size=32734, type=E3C9E316-0B5C-4DB8-817D-F92DF00215AE',
      'start=32768, type=EBD0A0A2-B9E5-4433-87C0-68B6B72699C7',
    ].join('\n');
    const content = await contentAfter([['sfdisk', '-q', '--no-reread', '--no-tell-kernel']], script);
    expect(content).toMatchObject({ state: 'blank' });
  });

  it('law 1: never takes a wiped file system for blank', async () => {
    const wipe = ['dd', 'if=/dev/zero', 'bs=1M', 'count=2', 'conv=notrunc', 'status=none'];
    const content = await contentAfter([['mkfs.ext4', '-q', '-F', '-E', 'lazy_itable_init=0']]);
    expect(content.state).toBe('foreign');
    const wiped = await inTempFolder(async (folder) => {
      const image = `${folder}/disk.img`;
      await writeFile(image, '');
      await runTool('truncate', ['-s', `${320n * MIB}`, image]);
      await runTool('mkfs.ext4', ['-q', '-F', image]);
      await runTool(wipe[0] ?? '', [...wipe.slice(1), `of=${image}`]);
      return examineImage(image);
    });
    expect(wiped).toMatchObject({ state: 'foreign', found: expect.stringContaining('unknown data') });
  });
});
