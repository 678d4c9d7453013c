import { randomUUID } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { poolFiles } from '../../../src/backends/file/pool-files.ts';
import { MIB } from '../../../src/core/capacity.ts';
import { decodeGpt, encodeGpt, GPT_PRIMARY_BYTES } from '../../../src/core/gpt-codec.ts';
import { windowsLayout } from '../../../src/core/gpt.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

const BYTES = 64n * MIB;

/** Every write(2) takes at most 512 bytes, as a file system may that is about to be full. */
async function withShortWrites(path: string, work: () => Promise<void>): Promise<void> {
  const file = await open(path, 'r');
  const handles = Object.getPrototypeOf(file) as Record<'write', (...args: unknown[]) => Promise<unknown>>;
  await file.close();
  const { write } = handles;
  const short = jest.spyOn(handles, 'write').mockImplementation(function (this: unknown, ...args: unknown[]) {
    const [bytes, offset, length, position] = args as [Uint8Array, number, number, number];
    return write.call(this, bytes, offset, Math.min(length, 512), position);
  });
  try {
    await work();
  } finally {
    short.mockRestore();
  }
}

it('law 8: a clone gets both of its partition tables whole, though writes stop short', async () => {
  await inTempFolder(async (folder) => {
    const image = join(folder, 'disk.img');
    const table = windowsLayout(BYTES, randomUUID);
    const { primary, backup, backupOffset } = encodeGpt(table, BYTES);
    const disk = new Uint8Array(Number(BYTES));
    disk.set(primary, 0);
    disk.set(backup, Number(backupOffset));
    await writeFile(image, disk);
    await withShortWrites(image, () => poolFiles.makeOwnDisk(image, BYTES));
    const made = await readFile(image);
    const cloned = decodeGpt(made.subarray(0, GPT_PRIMARY_BYTES), BYTES);
    if (cloned === undefined) throw new Error('no GPT');
    expect(cloned.diskGuid).not.toBe(table.diskGuid);
    const wanted = encodeGpt(cloned, BYTES);
    expect(made.subarray(Number(backupOffset)).equals(wanted.backup)).toBe(true);
    expect(made.subarray(0, GPT_PRIMARY_BYTES).equals(wanted.primary)).toBe(true);
  });
});
