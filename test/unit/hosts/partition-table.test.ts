import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { encodeGpt } from '../../../src/core/gpt-codec.ts';
import { windowsLayout } from '../../../src/core/gpt.ts';
import { readTable, writeTable } from '../../../src/hosts/partition-table.ts';

const DISK_BYTES = 40n * MIB;
const gpt = windowsLayout(DISK_BYTES, guids());
const { primary, backup, backupOffset } = encodeGpt(gpt, DISK_BYTES);

function guids(): () => string {
  let count = 0;
  return () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
}

const damaged = (bytes: Uint8Array, at: number): Uint8Array => {
  const copy = bytes.slice();
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
};

describe('readTable', () => {
  let folder: string;
  let image: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csi-ntfs-table-'));
    image = join(folder, 'disk.img');
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function put(...pieces: readonly (readonly [bytes: Uint8Array, offset: bigint])[]): Promise<void> {
    const file = await open(image, 'w');
    await file.truncate(Number(DISK_BYTES));
    for (const [bytes, offset] of pieces) await file.write(bytes, 0, bytes.length, Number(offset));
    await file.close();
  }

  it('reads back what writeTable wrote', async () => {
    await put();
    await writeTable(image, gpt, DISK_BYTES);
    await expect(readTable(image, DISK_BYTES)).resolves.toEqual({ kind: 'gpt', gpt });
  });

  it('calls a disk of zeros raw', async () => {
    await put();
    await expect(readTable(image, DISK_BYTES)).resolves.toEqual({ kind: 'raw' });
  });

  it('calls a disk raw that holds something that is no table', async () => {
    await put([Uint8Array.of(0x53, 0xef), 1080n]);
    await expect(readTable(image, DISK_BYTES)).resolves.toEqual({ kind: 'raw' });
  });

  it.each([
    ['nothing', new Uint8Array(1)],
    ['a damaged header', damaged(primary, 520)],
    ['a damaged entry', damaged(primary, 1030)],
    ['a header that was not written yet', primary.subarray(0, 512)],
  ])('finishes from the backup what has %s at its start', async (_what, start) => {
    await put([start, 0n], [backup, backupOffset]);
    await expect(readTable(image, DISK_BYTES)).resolves.toEqual({ kind: 'half-written', gpt });
  });

  it('law 1: takes no old backup at the end for the table of a disk that begins with something else', async () => {
    await put([Uint8Array.of(0x53, 0xef), 1080n], [backup, backupOffset]);
    await expect(readTable(image, DISK_BYTES)).resolves.toEqual({ kind: 'raw' });
  });

  it.each([
    ['a master boot record', Uint8Array.of(0x55, 0xaa), 510n, 'master boot record'],
    ['a damaged table without backup', damaged(primary, 520), 0n, 'damaged GUID partition table'],
  ])('law 1: calls %s foreign', async (_what, bytes, offset, found) => {
    await put([bytes, offset]);
    await expect(readTable(image, DISK_BYTES)).resolves.toEqual({
      kind: 'foreign',
      found: expect.stringContaining(found),
    });
  });

  it('calls a file too short for a table raw', async () => {
    const file = await open(image, 'w');
    await file.close();
    await expect(readTable(image, 0n)).resolves.toEqual({ kind: 'raw' });
  });
});
