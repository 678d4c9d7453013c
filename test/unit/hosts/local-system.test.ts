import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HostSystem } from '../../../src/core/ports/host-storage.ts';
import { linuxSerial, rememberedSerial } from '../../../src/hosts/bios-serial.ts';
import { localSystem } from '../../../src/hosts/local-system.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const SIGNAL = new AbortController().signal;

describe('the system group of a machine that is no Windows', () => {
  let folder: string;
  let log: RecordingLogger;
  let boot: string;

  beforeEach(async () => {
    folder = await makeTempFolder();
    log = new RecordingLogger();
    boot = 'first';
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const system = (): HostSystem =>
    localSystem(
      { log, biosSerialNumber: () => rememberedSerial(folder, log), bootId: () => Promise.resolve(boot) },
      folder,
    );

  describe('services', () => {
    it('has its service stopped again after a boot, as it is started by hand', async () => {
      await system().startService('MSiSCSI', SIGNAL);
      boot = 'second';
      await expect(system().getService('MSiSCSI', SIGNAL)).resolves.toMatchObject({
        startType: 'manual',
        status: 'stopped',
      });
    });

    it('knows the service whatever the case of its name', async () => {
      await system().startService('msiscsi', SIGNAL);
      await expect(system().getService('MSISCSI', SIGNAL)).resolves.toMatchObject({ status: 'running' });
    });

    it('says of any other that it is not there', async () => {
      const missing = { code: 'not-found', message: expect.stringContaining('it has MSiSCSI') as unknown };
      await expect(system().getService('Spooler', SIGNAL)).rejects.toMatchObject(missing);
      await expect(system().startService('Spooler', SIGNAL)).rejects.toMatchObject(missing);
      await expect(system().stopService('Spooler', true, SIGNAL)).rejects.toMatchObject(missing);
    });

    it.each(['{', 'null', '{"schema":2}', '{"schema":1}'])(
      'law 8: sets a record aside that cannot be read, and takes the service for stopped: %s',
      async (text) => {
        await system().startService('MSiSCSI', SIGNAL);
        await writeFile(join(folder, 'services', 'MSiSCSI.json'), text);
        await expect(system().getService('MSiSCSI', SIGNAL)).resolves.toMatchObject({ status: 'stopped' });
        expect(log.lines.map(({ level }) => level)).toEqual(['error']);
        expect(await readdir(join(folder, 'services'))).toEqual([
          expect.stringMatching(/^MSiSCSI\.json\.unreadable-/),
        ]);
      },
    );
  });

  describe("the BIOS' serial number", () => {
    const write = async (name: string, text: string): Promise<string> => {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    };
    const missing = '/nonexistent';

    it("is the firmware's", async () => {
      const dmi = await write('product_serial', 'VMware-56 4d 8f\n');
      await expect(linuxSerial(folder, log, { dmi })).resolves.toBe('VMware-56 4d 8f');
    });

    it.each(['', 'None', 'To be filled by O.E.M.', '0000', 'Default string', 'Not Specified'])(
      'follows from the installation when the firmware says "%s", and does not tell its id',
      async (text) => {
        const dmi = await write('product_serial', `${text}\n`);
        const machineId = await write('machine-id', '3d1219c7c4c5404aaa1f6d2a48adfda4\n');
        const serial = await linuxSerial(folder, log, { dmi, machineId });
        expect(serial).toMatch(/^[0-9A-F]{32}$/);
        expect(serial.toLowerCase()).not.toContain('3d1219c7');
        await expect(linuxSerial(folder, log, { dmi: missing, machineId })).resolves.toBe(serial);
      },
    );

    it('is remembered where there is neither', async () => {
      const none = { dmi: missing, machineId: missing };
      const serial = await linuxSerial(folder, log, none);
      expect(serial).toMatch(/^[0-9A-F]{16}$/);
      await expect(linuxSerial(folder, log, none)).resolves.toBe(serial);
      await expect(system().getBiosSerialNumber(SIGNAL)).resolves.toBe(serial);
    });
  });
});
