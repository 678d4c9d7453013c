import { describe, expect, it } from '@jest/globals';
import type { HostSystem } from '../../../src/core/ports/host-storage.ts';
import { SIGNAL } from './bench.ts';
import type { Bench } from './bench.ts';

const SERVICE = 'MSiSCSI';

export function describeSystem(bench: () => Bench): void {
  describe('system', () => {
    it("has a BIOS' serial number, the same also after a restart", async () => {
      if (await lacksSystem(bench())) return;
      const serial = await bench().host.system.getBiosSerialNumber(SIGNAL);
      expect(serial).toMatch(/\S/);
      await bench().restart();
      await expect(bench().host.system.getBiosSerialNumber(SIGNAL)).resolves.toBe(serial);
    });

    it("law 3: starts and stops the initiator's service, again as a no-op", async () => {
      if (await lacksSystem(bench())) return;
      await expectStatus(bench(), 'stopped');
      for (const [method, status] of STEPS) {
        await method(bench().host.system);
        await expectStatus(bench(), status);
      }
    });

    it('has the service as it was after a restart', async () => {
      if (await lacksSystem(bench())) return;
      await bench().host.system.startService(SERVICE, SIGNAL);
      await bench().restart();
      await expectStatus(bench(), 'running');
    });

    it('refuses services that are not there', async () => {
      const { system } = bench().host;
      await expect(system.getService('no-such-service', SIGNAL)).rejects.toThrow();
      await expect(system.startService('no-such-service', SIGNAL)).rejects.toThrow();
      await expect(system.stopService('no-such-service', true, SIGNAL)).rejects.toThrow();
    });

    it('starts no service when the caller has gone before', async () => {
      if (await lacksSystem(bench())) return;
      const gone = AbortSignal.abort(new Error('the caller has gone'));
      await expect(bench().host.system.startService(SERVICE, gone)).rejects.toThrow();
      await expectStatus(bench(), 'stopped');
    });
  });
}

const start = (system: HostSystem): Promise<void> => system.startService(SERVICE, SIGNAL);
const stop = (system: HostSystem): Promise<void> => system.stopService(SERVICE, false, SIGNAL);
const STEPS = [
  [start, 'running'],
  [start, 'running'],
  [stop, 'stopped'],
  [stop, 'stopped'],
  [start, 'running'],
  [(system: HostSystem): Promise<void> => system.stopService(SERVICE, true, SIGNAL), 'stopped'],
] as const;

async function expectStatus({ host }: Bench, status: string): Promise<void> {
  await expect(host.system.getService(SERVICE, SIGNAL)).resolves.toEqual({
    displayName: 'Microsoft iSCSI Initiator Service',
    startType: 'manual',
    status,
  });
}

/** Behind a proxy a host without the group fails like any other call. */
async function lacksSystem({ hands, host }: Bench): Promise<boolean> {
  if (!hands.lacks.includes('system')) return false;
  await expect(host.system.getBiosSerialNumber(SIGNAL)).rejects.toThrow();
  return true;
}
