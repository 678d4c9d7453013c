import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { RELEASES } from '../../../src/proxyapi/releases.ts';
import { KUBELET, ServedMachine } from './served-machine.ts';

describe('the folder that is C:', () => {
  it('is where everything is made, also for a path in other letters', async () => {
    await ServedMachine.run({}, async (machine) => {
      await machine.call('filesystem', 'Mkdir', { path: `${KUBELET}\\pods\\a\\b` });
      await machine.call('filesystem', 'Mkdir', { path: String.raw`c:\VAR\lib\KUBELET\pods\c` });
      for (const made of ['pods/a/b', 'pods/c']) {
        expect(existsSync(join(machine.root, 'var/lib/kubelet', made))).toBe(true);
      }
      expect(existsSync(join(machine.root, 'VAR'))).toBe(false);
    });
  });
});

describe('a path outside of the working folders', () => {
  const OUTSIDE = String.raw`C:\outside`;
  const BESIDE = `${KUBELET}-evil`;

  it('law 4: is refused wherever a request names one', async () => {
    await ServedMachine.run({}, async (machine) => {
      await mkdir(join(machine.root, 'outside'));
      const { volume_id } = await machine.volume();
      for (const path of [OUTSIDE, BESIDE, `${KUBELET}\\..\\..\\..\\outside`]) {
        const failures = [
          machine.failure('filesystem', 'PathExists', { path }),
          machine.failure('filesystem', 'Rmdir', { path, force: true }),
          machine.failure('filesystem v2alpha1', 'RmdirContents', { path }),
          machine.failure('filesystem', 'IsSymlink', { path }),
          machine.failure('filesystem v1alpha1', 'IsMountPoint', { path }),
          machine.failure('volume', 'MountVolume', { volume_id, target_path: path }),
          machine.failure('volume v1beta1', 'DismountVolume', { volume_id, path }),
          machine.failure('volume', 'GetVolumeIDFromTargetPath', { target_path: path }),
          machine.failure('volume v2alpha1', 'GetClosestVolumeIDFromTargetPath', { target_path: path }),
        ];
        for (const { details } of await Promise.all(failures)) expect(details).toContain('is refused');
      }
      expect(existsSync(join(machine.root, 'outside'))).toBe(true);
    });
  });

  it('is taken where the original takes it, when its holes are wanted', async () => {
    await ServedMachine.run({ compat: true }, async (machine) => {
      await mkdir(join(machine.root, 'outside'));
      const { volume_id } = await machine.volume();
      await machine.call('filesystem', 'Mkdir', { path: BESIDE });
      await expect(machine.call('filesystem', 'IsSymlink', { path: OUTSIDE })).resolves.toEqual({
        is_symlink: false,
      });
      await machine.call('volume', 'MountVolume', { volume_id, target_path: 'C:/var/../outside' });
      await expect(machine.call('filesystem', 'IsSymlink', { path: OUTSIDE })).resolves.toEqual({
        is_symlink: true,
      });
      await machine.failure('filesystem', 'PathExists', { path: OUTSIDE });
    });
  });
});

describe('PathContext', () => {
  const AS_PLUGIN = { path: `${KUBELET}\\pods\\x`, context: 'PLUGIN' };
  const AS_POD = { path: `${KUBELET}\\pods\\x`, context: 'POD' };
  const link = (source: string, target: string): Record<string, string> => ({
    source_path: `${KUBELET}\\${source}`,
    target_path: `${KUBELET}\\${target}`,
  });

  it.each(['v1beta1', 'v1alpha1'])('is enforced by a server 0.x in %s', async (version) => {
    await ServedMachine.run({ pipes: RELEASES['0.2.2'], enforcePathContext: true }, async (machine) => {
      await machine.failure(`filesystem ${version}`, 'Mkdir', AS_PLUGIN);
      await machine.failure(`filesystem ${version}`, 'Mkdir', { ...AS_POD, context: 7 });
      await machine.call(`filesystem ${version}`, 'Mkdir', AS_POD);
      await machine.failure(`filesystem ${version}`, 'LinkPath', link('pods\\x', 'plugins\\x'));
      await machine.failure(`filesystem ${version}`, 'LinkPath', link('pods\\x', 'pods\\y'));
      await machine.call(`filesystem ${version}`, 'LinkPath', link('plugins', 'pods\\y'));
      const local_path = `${KUBELET}\\pods\\share`;
      const mapping = { remote_path: '\\\\h\\s', local_path, username: 'u', password: 'p' };
      const { details } = await machine.failure(`smb ${version}`, 'NewSmbGlobalMapping', mapping);
      expect(details).toMatch(/PathContext PLUGIN/);
    });
  });

  it.each(['v1beta1', 'v1alpha1'])('is ignored by a later server in %s', async (version) => {
    await ServedMachine.run({}, async (machine) => {
      await machine.call(`filesystem ${version}`, 'Mkdir', AS_PLUGIN);
      await expect(machine.call(`filesystem ${version}`, 'PathExists', AS_POD)).resolves.toMatchObject({
        exists: true,
      });
    });
  });
});
