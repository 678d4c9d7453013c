import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { wireService } from '../../../src/proxyapi/wire-service.ts';
import { ServedMachine } from './served-machine.ts';

/** Something that happens when a test says so. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

async function until(what: () => boolean): Promise<void> {
  for (let tries = 0; !what(); tries += 1) {
    if (tries === 500) throw new Error('it never came to that');
    await sleep(10);
  }
}

describe('a call whose handler crashes', () => {
  it('is the only one that hears of it, without a word of what happened, which is in the log', async () => {
    await ServedMachine.run({}, async (machine) => {
      const { volume_id } = await machine.volume();
      const hold = gate();
      machine.around = async ({ method }, run) => {
        if (method === 'formatVolume') throw new TypeError('cannot read properties of my diary');
        if (method === 'getVolumeStats') await hold.opened;
        return run();
      };
      const underWay = machine.call('volume', 'GetVolumeStats', { volume_id });
      const { code, details } = await machine.failure('volume', 'FormatVolume', { volume_id });
      expect(code).toBe(status.UNKNOWN);
      expect(details).not.toMatch(/diary/);
      hold.open();
      await expect(underWay).resolves.toHaveProperty('total_bytes');
      await expect(machine.call('disk', 'Rescan')).resolves.toEqual({});
      expect(machine.log.lines.filter(({ level }) => level === 'error')).toEqual([
        {
          level: 'error',
          message: expect.stringContaining('FormatVolume'),
          fields: expect.objectContaining({
            group: 'volume',
            version: 'v1',
            rpc: 'FormatVolume',
            cause: expect.stringMatching(/TypeError: .*diary\n +at /),
          }),
        },
      ]);
    });
  });
});

describe('a client that goes away', () => {
  /** Formats a volume as a client that hangs up when the machine has begun; gives what became of it. */
  async function formatAndLeave(machine: ServedMachine): Promise<void> {
    const { volume_id } = await machine.volume();
    const begun = gate();
    const hold = gate();
    let ended = false;
    machine.around = async ({ method }, run) => {
      if (method !== 'formatVolume') return run();
      begun.open();
      await hold.opened;
      const result = await run();
      ended = true;
      return result;
    };
    const rpc = wireService({ group: 'volume', version: 'v1' })['FormatVolume'];
    if (rpc === undefined) throw new Error('there is no FormatVolume');
    const client = new Client(
      `unix:${join(machine.pipeDir, 'csi-proxy-volume-v1.sock')}`,
      credentials.createInsecure(),
    );
    const gone = new Promise<unknown>((resolve) => {
      const { path, requestSerialize, responseDeserialize } = rpc;
      const call = client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        { volume_id },
        new Metadata(),
        resolve,
      );
      void begun.opened.then(() => {
        call.cancel();
      });
    });
    await expect(gone).resolves.toMatchObject({ code: status.CANCELLED });
    client.close();
    await sleep(50);
    hold.open();
    await until(() => ended);
  }

  it('law 6: leaves the machine at work, and the end of it is counted', async () => {
    await ServedMachine.run({}, async (machine) => {
      await formatAndLeave(machine);
      const formats = (): number =>
        machine.calls.filter(({ rpc, code }) => rpc === 'FormatVolume' && code === 'OK').length;
      await until(() => formats() === 2);
      await expect(machine.call('disk', 'Rescan')).resolves.toEqual({});
    });
  });
});

describe('stopping', () => {
  it('waits for the calls under way, and takes no others', async () => {
    await ServedMachine.run({}, async (machine) => {
      const { volume_id } = await machine.volume();
      const begun = gate();
      machine.around = async ({ method }, run) => {
        if (method !== 'isVolumeFormatted') return run();
        begun.open();
        await sleep(200);
        return run();
      };
      const underWay = machine.call('volume', 'IsVolumeFormatted', { volume_id });
      await begun.opened;
      const stopped = machine.server.stop(10);
      await expect(readdir(machine.pipeDir)).resolves.toEqual([]);
      await expect(underWay).resolves.toEqual({ formatted: true });
      await stopped;
      await expect(machine.failure('smb', 'RemoveSmbGlobalMapping')).resolves.toMatchObject({
        code: status.UNAVAILABLE,
      });
    });
  });

  it('law 6: does not wait for ever, and says what it leaves behind', async () => {
    await ServedMachine.run({}, async (machine) => {
      const { volume_id } = await machine.volume();
      const begun = gate();
      const hold = gate();
      machine.around = async ({ method }, run) => {
        if (method !== 'formatVolume') return run();
        begun.open();
        await hold.opened;
        return run();
      };
      const hanging = machine.failure('volume', 'FormatVolume', { volume_id });
      await begun.opened;
      await machine.server.stop(0);
      await expect(hanging).resolves.toHaveProperty('code');
      expect(machine.log.lines).toContainEqual(
        expect.objectContaining({
          level: 'error',
          message: expect.stringContaining('volume v1 FormatVolume is still at work'),
        }),
      );
      hold.open();
      await until(() => machine.calls.at(-1)?.rpc === 'FormatVolume');
    });
  });
});

describe('what is counted and logged', () => {
  it('is every call with its pipe, the name of that version, its status and its time', async () => {
    await ServedMachine.run({}, async (machine) => {
      await machine.call('disk v1beta2', 'Rescan');
      await machine.failure('disk v1beta2', 'DiskStats', { diskID: '4711' });
      const seconds = expect.any(Number);
      expect(machine.calls).toEqual([
        { group: 'disk', version: 'v1beta2', rpc: 'Rescan', code: 'OK', seconds },
        { group: 'disk', version: 'v1beta2', rpc: 'DiskStats', code: 'UNKNOWN', seconds },
      ]);
    });
  });

  it('is a failed change as a warning, and a question that could not be answered for those who want to know', async () => {
    await ServedMachine.run({}, async (machine) => {
      await machine.failure('disk', 'PartitionDisk', { disk_number: 4711 });
      await machine.failure('disk', 'GetDiskStats', { disk_number: 4711 });
      const failed = machine.log.lines.filter(({ message }) => message.endsWith('failed'));
      expect(failed.map(({ level, message }) => [level, message])).toEqual([
        ['warn', 'PartitionDisk failed'],
        ['debug', 'GetDiskStats failed'],
      ]);
      expect(failed[0]?.fields).toMatchObject({ group: 'disk', version: 'v1', rpc: 'PartitionDisk' });
    });
  });
});

describe('what the original crashes on', () => {
  it.each(['v1alpha1', 'v1alpha2'])(
    'is a failure here: an iSCSI portal that is not set, in %s',
    async (version) => {
      await ServedMachine.run({}, async (machine) => {
        const { code, details } = await machine.failure(`iscsi ${version}`, 'AddTargetPortal');
        expect([code, details]).toEqual([status.UNKNOWN, expect.stringContaining('target_portal')]);
      });
    },
  );
});
