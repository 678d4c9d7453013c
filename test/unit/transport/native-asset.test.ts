import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadFromMemory, packedModule } from '../../../src/transport/native-asset.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

const { platform, arch } = process;
const KOFFI = `node_modules/@koromix/koffi-${platform}-${arch}/${platform}_${arch}/koffi.node`;
const NAME = 'koffi.node';

async function leaveBehind(folder: string, ageSeconds: number): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, NAME), '');
  const then = Date.now() / 1000 - ageSeconds;
  await utimes(folder, then, then);
}

describe('packedModule', () => {
  it('is nothing outside a single executable', () => {
    expect(packedModule(NAME)).toBeUndefined();
  });
});

describe('loadFromMemory', () => {
  it('loads a library and leaves no file where the system lets go of it', async () => {
    await inTempFolder(async (within) => {
      const loaded = loadFromMemory(NAME, await readFile(KOFFI), within);
      expect(loaded).toHaveProperty('load');
      expect(await readdir(within)).toEqual([]);
    });
  });

  it('leaves no file of what is no library', async () => {
    await inTempFolder(async (within) => {
      expect(() => loadFromMemory(NAME, Buffer.from('no library'), within)).toThrow(/koffi\.node/);
      expect(await readdir(within)).toEqual([]);
    });
  });

  it('removes what an earlier process could not, and nothing else', async () => {
    await inTempFolder(async (within) => {
      await leaveBehind(join(within, 'csi-ntfs-native-old'), 3600);
      await leaveBehind(join(within, 'csi-ntfs-native-young'), 1);
      await leaveBehind(join(within, 'another-old'), 3600);
      const shared = join(within, 'csi-ntfs-native-shared');
      await mkdir(shared);
      await writeFile(join(shared, 'precious'), '');
      await utimes(shared, 0, 0);
      loadFromMemory(NAME, await readFile(KOFFI), within);
      expect((await readdir(within)).sort()).toEqual([
        'another-old',
        'csi-ntfs-native-shared',
        'csi-ntfs-native-young',
      ]);
      expect(await readdir(shared)).toEqual(['precious']);
    });
  });
});
