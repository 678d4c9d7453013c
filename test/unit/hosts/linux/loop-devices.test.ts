import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LoopDevices } from '../../../../src/hosts/linux/loop-devices.ts';
import { inTempFolder } from '../../../support/temp-folder.ts';

const noTools = (): Promise<string> => Promise.reject(new Error('no tool may run'));

describe('LoopDevices', () => {
  it('finds the device of an image, and none for another', async () => {
    await inTempFolder(async (folder) => {
      await mkdir(join(folder, 'sys/loop3/loop'), { recursive: true });
      await mkdir(join(folder, 'sys/loop4'), { recursive: true });
      await writeFile(join(folder, 'image'), '');
      await writeFile(join(folder, 'sys/loop3/loop/backing_file'), `${folder}/image\n`);
      const loops = new LoopDevices(noTools, join(folder, 'sys'));
      await expect(loops.find(join(folder, 'image'))).resolves.toBe('loop3');
      await expect(loops.find(join(folder, 'other'))).resolves.toBeUndefined();
    });
  });

  it('law 2: never takes an image for unattached because the kernel could not be asked', async () => {
    await inTempFolder(async (folder) => {
      // Reading a folder fails as too many open files would: the answer is not "free".
      await mkdir(join(folder, 'sys/loop3/loop/backing_file'), { recursive: true });
      await writeFile(join(folder, 'image'), '');
      const loops = new LoopDevices(noTools, join(folder, 'sys'));
      await expect(loops.find(join(folder, 'image'))).rejects.toMatchObject({ code: 'EISDIR' });
    });
  });
});
