import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../core/ports/logger.ts';
import { sha256Hex } from '../util/digest.ts';
import { makeRecordFolder, writeRecord } from '../util/record-file.ts';
import { OWN_SCHEMA, readOwnRecord, textOf } from './own-record.ts';

/** A machine without a BIOS: a number made once and remembered in the state folder. */
export async function rememberedSerial(stateDir: string, log: Logger): Promise<string> {
  const path = join(stateDir, 'bios.json');
  const known = await readOwnRecord(path, (record) => textOf(record, 'serialNumber'), log);
  if (known !== undefined) return known;
  const serialNumber = randomBytes(8).toString('hex').toUpperCase();
  await makeRecordFolder(stateDir);
  await writeRecord(path, { schema: OWN_SCHEMA, serialNumber });
  return serialNumber;
}

/** What vendors write who had no number to write. */
const PLACEHOLDERS = /^(|0+|none|not specified|default string|system serial number|to be filled.*)$/i;

/** The number in the firmware's tables, else one that follows from the installation, else one that was remembered. */
export async function linuxSerial(
  stateDir: string,
  log: Logger,
  { dmi = '/sys/class/dmi/id/product_serial', machineId = '/etc/machine-id' } = {},
): Promise<string> {
  const firmware = await lineOf(dmi);
  if (!PLACEHOLDERS.test(firmware)) return firmware;
  const installation = await lineOf(machineId);
  // Machine ids are confidential by their own manual: only a digest leaves the machine.
  if (installation !== '') return sha256Hex(`bios serial of ${installation}`, 32).toUpperCase();
  return rememberedSerial(stateDir, log);
}

async function lineOf(path: string): Promise<string> {
  return readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
}
