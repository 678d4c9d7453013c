import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { GptPartition } from '../../../src/core/gpt.ts';
import { pack, unpack } from '../../../src/hosts/simulated/archive.ts';
import { VolumeImage } from '../../../src/hosts/simulated/volume-image.ts';
import { CrashingImage } from '../../support/crashing-image.ts';

const VOLUME_BYTES = 512 * 1024;
const PARTITION: GptPartition = {
  typeGuid: 'ebd0a0a2-b9e5-4433-87c0-68b6b72699c7',
  uniqueGuid: '11111111-2222-4333-8444-555555555555',
  firstLba: 0n,
  lastLba: BigInt(VOLUME_BYTES / 512 - 1),
  name: 'Basic data partition',
  attributes: 0n,
};

/** Files by path. */
type Tree = ReadonlyMap<string, string>;

const trees = fc
  .uniqueArray(
    fc.record({
      path: fc.constantFrom('a', 'b', 'folder/c', 'folder/d', 'folder/deep/e', 'Ünï 世界'),
      size: fc.integer({ min: 0, max: 20_000 }),
      letter: fc.constantFrom('x', 'y', 'z'),
    }),
    { selector: ({ path }) => path, maxLength: 5 },
  )
  .map((files): Tree => new Map(files.map(({ path, size, letter }) => [path, letter.repeat(size)])));

describe('simulated file system', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'csi-ntfs-fs-'));
  });

  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });

  const emptyFolder = async (): Promise<string> => mkdtemp(join(root, 'tree-'));

  const folderOf = async (tree: Tree): Promise<string> => {
    const folder = await emptyFolder();
    for (const [path, text] of tree) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return folder;
  };

  const treeIn = async (bytes: Uint8Array): Promise<Tree> => {
    const folder = await emptyFolder();
    await unpack(new VolumeImage(new CrashingImage(bytes), PARTITION), folder);
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = found
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')));
    return new Map(files.map((path, index) => [path.slice(folder.length + 1), texts[index] ?? '']));
  };

  const formatted = async (): Promise<Uint8Array> => {
    const image = new CrashingImage(new Uint8Array(VOLUME_BYTES));
    await new VolumeImage(image, PARTITION).format();
    return image.bytes;
  };

  const packed = async (bytes: Uint8Array, tree: Tree): Promise<CrashingImage> => {
    const image = new CrashingImage(bytes);
    await pack(await folderOf(tree), new VolumeImage(image, PARTITION), () => Promise.resolve());
    return image;
  };

  it('holds what the folder held, through any series of flushes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(trees, { minLength: 1, maxLength: 6 }), async (series) => {
        let bytes = await formatted();
        for (const tree of series) {
          bytes = (await packed(bytes, tree)).bytes;
          expect(await treeIn(bytes)).toEqual(tree);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('law 8: holds the former files or the new ones when the power fails while they are flushed', async () => {
    await fc.assert(
      fc.asyncProperty(trees, trees, fc.infiniteStream(fc.boolean()), async (former, next, coin) => {
        const before = (await packed((await packed(await formatted(), former)).bytes, former)).bytes;
        const flushing = await packed(before, next);
        const reached = (): boolean => coin.next().value === true;
        for (let moment = 0; moment <= flushing.moments; moment++) {
          const found = await treeIn(flushing.afterPowerFailure(moment, reached));
          expect([former, next]).toContainEqual(found);
        }
        expect(await treeIn(flushing.afterPowerFailure(flushing.moments, reached))).toEqual(next);
      }),
      { numRuns: 25 },
    );
  });

  it('law 8: is formatted and empty or not formatted when the power fails while it is formatted', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.infiniteStream(fc.boolean()), async (former, coin) => {
        const image = new CrashingImage((await packed(await formatted(), former)).bytes);
        await new VolumeImage(image, PARTITION).format();
        for (let moment = 0; moment <= image.moments; moment++) {
          const bytes = image.afterPowerFailure(moment, () => coin.next().value === true);
          const volume = new VolumeImage(new CrashingImage(bytes), PARTITION);
          const holds = (await volume.fileSystemBytes()) === undefined ? undefined : await treeIn(bytes);
          expect([undefined, former, new Map()]).toContainEqual(holds);
        }
      }),
      { numRuns: 25 },
    );
  });
});
