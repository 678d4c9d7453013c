import { join } from 'node:path';
import { StorageError, throwIfAborted } from '../core/errors.ts';
import { attempt } from '../core/platform-errors.ts';
import type { HostService, HostSystem } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import { makeRecordFolder, writeRecord } from '../util/record-file.ts';
import { OWN_SCHEMA, readOwnRecord, textOf } from './own-record.ts';

/** The service without which Windows has no iSCSI initiator. */
export const ISCSI_SERVICE = 'MSiSCSI';
const DISPLAY_NAME = 'Microsoft iSCSI Initiator Service';

export interface LocalSystemDeps {
  readonly log: Logger;
  readonly biosSerialNumber: () => Promise<string>;
  /** A service that is started by hand is stopped again after a boot. */
  readonly bootId: () => Promise<string>;
}

/**
 * The services of a machine that is no Windows: the one that this driver starts, as a record below the state folder.
 * Any other is not there.
 */
export function localSystem(
  { log, biosSerialNumber, bootId }: LocalSystemDeps,
  stateDir: string,
): HostSystem {
  const folder = join(stateDir, 'services');
  const path = join(folder, `${ISCSI_SERVICE}.json`);
  const isRunning = async (): Promise<boolean> => {
    const startedIn = await readOwnRecord(path, (record) => textOf(record, 'startedInBoot'), log);
    return startedIn !== undefined && startedIn === (await bootId());
  };
  const set = async (name: string, running: boolean, signal: AbortSignal): Promise<void> => {
    const doing = `${running ? 'start' : 'stop'} the service ${name}`;
    requireKnown(name, doing);
    throwIfAborted(signal, doing);
    await attempt(doing, async () => {
      if ((await isRunning()) === running) return;
      await makeRecordFolder(folder);
      await writeRecord(path, { schema: OWN_SCHEMA, startedInBoot: running ? await bootId() : STOPPED });
    });
  };
  return {
    getBiosSerialNumber: () => attempt('read the serial number of the BIOS', biosSerialNumber),
    getService: async (name) => {
      requireKnown(name, `look at the service ${name}`);
      return attempt(`look at the service ${name}`, async () => serviceOf(await isRunning()));
    },
    startService: (name, signal) => set(name, true, signal),
    stopService: (name, _force, signal) => set(name, false, signal),
  };
}

/** No boot has this id. */
const STOPPED = 'stopped';

const serviceOf = (running: boolean): HostService => ({
  displayName: DISPLAY_NAME,
  startType: 'manual',
  status: running ? 'running' : 'stopped',
});

/** Windows' names of services know no case. */
function requireKnown(name: string, doing: string): void {
  if (name.toLowerCase() === ISCSI_SERVICE.toLowerCase()) return;
  throw new StorageError(
    'not-found',
    `cannot ${doing}: this host has no service of that name; it has ${ISCSI_SERVICE}`,
  );
}
