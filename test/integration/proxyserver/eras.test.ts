import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { KUBELET, ServedMachine } from './served-machine.ts';

const VOLUME_ID = /^\\\\\?\\Volume\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}\\$/;

/** What a call came to: its answer, or `failed`. */
const outcome = (call: Promise<unknown>): Promise<unknown> => call.catch(() => 'failed');

describe.each(['1.2', '1.3'] as const)('a server of era %s', (era) => {
  const isShell = era === '1.2';
  const run = (test: (machine: ServedMachine) => Promise<void>): Promise<void> =>
    ServedMachine.run({ era }, test);

  it(`lists ${isShell ? 'one empty id' : 'nothing'} for a disk without volumes`, async () => {
    await run(async (machine) => {
      const { disk_number } = await machine.rawDisk();
      const none = { volume_ids: isShell ? [''] : [] };
      await expect(machine.call('volume', 'ListVolumesOnDisk', { disk_number })).resolves.toEqual(none);
      const old = { disk_id: String(disk_number) };
      await expect(machine.call('volume v1beta1', 'ListVolumesOnDisk', old)).resolves.toEqual(none);
    });
  });

  it(`${isShell ? 'refuses' : 'takes'} a mount where the volume is mounted`, async () => {
    await run(async (machine) => {
      const { volume_id } = await machine.volume();
      const { target_path } = await machine.mountPoint();
      await machine.call('volume', 'MountVolume', { volume_id, target_path });
      const again = machine.call('volume', 'MountVolume', { volume_id, target_path });
      await expect(outcome(again)).resolves.toEqual(isShell ? 'failed' : {});
      await expect(machine.call('volume', 'GetVolumeIDFromTargetPath', { target_path })).resolves.toEqual({
        volume_id,
      });
      const other = await machine.volume();
      await machine.failure('volume', 'MountVolume', { ...other, target_path });
    });
  });

  it(`${isShell ? 'always sets' : 'sets only another'} state of a disk`, async () => {
    await run(async (machine) => {
      const { disk_number } = await machine.rawDisk();
      let set = 0;
      machine.around = (call, work) => {
        if (call.method === 'setDiskState') set += 1;
        return work();
      };
      await machine.call('disk', 'SetDiskState', { disk_number, is_online: true });
      expect(set).toBe(isShell ? 1 : 0);
      await machine.call('disk', 'SetDiskState', { disk_number, is_online: false });
      await expect(machine.call('disk', 'GetDiskState', { disk_number })).resolves.toEqual({
        is_online: false,
      });
    });
  });

  it(`finds ${isShell ? 'no volume' : 'that of drive C:'} behind a link to a plain directory`, async () => {
    await run(async (machine) => {
      const { target_path: plain, here } = await machine.mountPoint('plain');
      const link = `${KUBELET}\\pods\\link`;
      await symlink(here, join(machine.root, 'var/lib/kubelet/pods/link'));
      const look = (target_path: string): Promise<unknown> =>
        outcome(machine.call('volume', 'GetVolumeIDFromTargetPath', { target_path }));
      const system = { volume_id: expect.stringMatching(VOLUME_ID) };
      await expect(look(link)).resolves.toEqual(isShell ? 'failed' : system);
      await expect(look(plain)).resolves.toBe('failed');
      await expect(look(`${plain}\\missing`)).resolves.toBe('failed');
    });
  });

  it('finds the volume of drive C: for a path on none of the disks, and always the same', async () => {
    await run(async (machine) => {
      const { target_path } = await machine.mountPoint();
      const { volume_id } = await machine.volume();
      const closest = (path: string): Promise<unknown> =>
        outcome(machine.call('volume v2alpha1', 'GetClosestVolumeIDFromTargetPath', { target_path: path }));
      const found = await closest(target_path);
      expect(found).toEqual({ volume_id: expect.stringMatching(VOLUME_ID) });
      await expect(closest(KUBELET)).resolves.toEqual(found);
      await expect(closest(`${target_path}\\missing`)).resolves.toBe('failed');
      await machine.call('volume', 'MountVolume', { volume_id, target_path });
      await expect(closest(target_path)).resolves.toEqual({ volume_id });
    });
  });

  it('takes growth below 100 MiB and does nothing', async () => {
    await run(async (machine) => {
      const disk = await machine.hands.plugDisk(128n * MIB);
      const disk_number = await machine.numberOf(disk);
      await machine.call('disk', 'PartitionDisk', { disk_number });
      const { volume_ids } = await machine.call('volume', 'ListVolumesOnDisk', { disk_number });
      const [volume_id = ''] = volume_ids as readonly string[];
      await machine.call('volume', 'FormatVolume', { volume_id });
      const total = async (): Promise<bigint> => {
        const { total_bytes } = await machine.call('volume', 'GetVolumeStats', { volume_id });
        return BigInt(total_bytes as string);
      };
      const before = await total();
      await machine.hands.growDisk(disk, 384n * MIB);
      await machine.call('disk', 'Rescan');
      for (const size_bytes of [before + 90n * MIB, before / 2n, before]) {
        await machine.call('volume', 'ResizeVolume', { volume_id, size_bytes: String(size_bytes) });
        await expect(total()).resolves.toBe(before);
      }
      await machine.call('volume', 'ResizeVolume', { volume_id, size_bytes: '0' });
      await expect(total()).resolves.toBeGreaterThan(before + 200n * MIB);
      const tooMuch = { volume_id, size_bytes: String(1024n * MIB) };
      await machine.failure('volume', 'ResizeVolume', tooMuch);
    });
  });

  it('law 5: fails on volumes that are none, with the one status there is', async () => {
    await run(async (machine) => {
      for (const volume_id of ['', '-1', '\\\\?\\Volume{00000000-0000-4000-8000-000000000000}\\']) {
        const target_path = '';
        const failures = [
          ...['IsVolumeFormatted', 'FormatVolume', 'GetVolumeStats', 'WriteVolumeCache'].map((rpc) =>
            machine.failure('volume', rpc, { volume_id }),
          ),
          machine.failure('volume', 'ResizeVolume', { volume_id, size_bytes: String(2n * MIB) }),
          machine.failure('volume', 'MountVolume', { volume_id, target_path }),
          machine.failure('volume', 'UnmountVolume', { volume_id, target_path }),
        ];
        const codes = (await Promise.all(failures)).map(({ code }) => code);
        expect(codes).toEqual(codes.map(() => 2));
      }
    });
  });

  it('refuses what names nothing before it asks the machine', async () => {
    await run(async (machine) => {
      machine.around = ({ method }) => Promise.reject(new Error(`the machine was asked to ${method}`));
      const target_path = '';
      const refusals = await Promise.all([
        machine.failure('volume', 'FormatVolume'),
        machine.failure('volume', 'MountVolume', { volume_id: 'x', target_path }),
        machine.failure('volume', 'GetVolumeIDFromTargetPath', { target_path }),
        machine.failure('smb', 'RemoveSmbGlobalMapping', { remote_path: 'hostname' }),
      ]);
      expect(refusals.map(({ details }) => details)).toEqual([
        'the request has no volume id',
        'the request has no target path',
        'the request has no target path',
        expect.stringContaining('is no path of an SMB share'),
      ]);
    });
  });

  it('law 5: fails with one status, and a text of its era', async () => {
    await run(async (machine) => {
      const { code, details } = await machine.failure('volume', 'FormatVolume', { volume_id: '-1' });
      expect(code).toBe(2);
      expect(/command: FormatVolume, output: .*exit status 1$/s.test(details)).toBe(isShell);
    });
  });
});
