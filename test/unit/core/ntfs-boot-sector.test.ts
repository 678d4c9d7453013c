import { describe, expect, it } from '@jest/globals';
import { decodeNtfsBootSector, encodeNtfsBootSector } from '../../../src/core/ntfs-boot-sector.ts';

const MIB = 1024n * 1024n;
const GIB = 1024n * MIB;
const TIB = 1024n * GIB;
const geometry = { volumeBytes: GIB, firstLba: 32768n, serial: 0x1234_5678_9abc_def0n };

/** First fields of what `mkfs.ntfs -F -Q -p 32768 -H 255 -S 63` (ntfs-3g 2022.10.3) wrote on a 64 MiB image. */
const MKFS_64_MIB = Uint8Array.from(
  Buffer.from(
    'eb52904e5446532020202000020800000000000000f800003f00ff00008000000000000080008000ffff0100000000' +
      '000400000000000000ff1f000000000000f60000000100000043a41640dd53ab21',
    'hex',
  ),
);

function withSignature(head: Uint8Array): Uint8Array {
  const sector = new Uint8Array(512);
  sector.set(head);
  sector.set([0x55, 0xaa], 510);
  return sector;
}

describe('NTFS boot sector', () => {
  it.each([16n * MIB, 47n * MIB, GIB, 2n * GIB + MIB, 15n * TIB, 64n * TIB])(
    'describes a file system one sector smaller than its volume of %d bytes',
    (volumeBytes) => {
      const sector = encodeNtfsBootSector({ ...geometry, volumeBytes });
      expect(sector).toHaveLength(512);
      expect(decodeNtfsBootSector(sector)).toEqual({
        fileSystemBytes: volumeBytes - 512n,
        serial: geometry.serial,
      });
    },
  );

  it('carries the fields Windows needs to see an NTFS volume', () => {
    const view = new DataView(encodeNtfsBootSector(geometry).buffer);
    expect(view.getUint16(0x0b, true)).toBe(512);
    expect(view.getUint8(0x0d)).toBe(8);
    expect(view.getUint8(0x15)).toBe(0xf8);
    expect(view.getUint32(0x1c, true)).toBe(32768);
    expect(view.getBigUint64(0x28, true)).toBe(GIB / 512n - 1n);
    expect(view.getBigUint64(0x48, true)).toBe(geometry.serial);
    expect(view.getUint16(0x1fe, true)).toBe(0xaa55);
  });

  it('uses larger clusters where 4 KiB ones would not fit in 32 bits', () => {
    expect(encodeNtfsBootSector({ ...geometry, volumeBytes: 64n * TIB })[0x0d]).toBe(32);
    expect(() => encodeNtfsBootSector({ ...geometry, volumeBytes: 300n * TIB })).toThrow(/256 TiB/);
  });

  it('reads what mkfs.ntfs writes', () => {
    expect(decodeNtfsBootSector(withSignature(MKFS_64_MIB))).toEqual({
      fileSystemBytes: 64n * MIB - 512n,
      serial: 0x21ab_53dd_4016_a443n,
    });
  });

  it.each<[string, (sector: Uint8Array) => void]>([
    [
      'another file system',
      (sector) => {
        sector.set(Buffer.from('MSDOS5.0'), 3);
      },
    ],
    ['no boot signature', (sector) => sector.fill(0, 510)],
    ['no sectors', (sector) => sector.fill(0, 0x28, 0x30)],
    [
      'an impossible sector size',
      (sector) => {
        sector.set([0x01, 0x02], 0x0b);
      },
    ],
    [
      'a sector size above 4 KiB',
      (sector) => {
        sector.set([0x00, 0x20], 0x0b);
      },
    ],
    [
      'an impossible cluster size',
      (sector) => {
        sector.set([3], 0x0d);
      },
    ],
    ['nothing at all', (sector) => sector.fill(0)],
  ])('refuses a sector with %s', (_, damage) => {
    const sector = encodeNtfsBootSector(geometry);
    damage(sector);
    expect(decodeNtfsBootSector(sector)).toBeUndefined();
  });

  it('refuses less than a sector', () => {
    expect(decodeNtfsBootSector(encodeNtfsBootSector(geometry).subarray(0, 511))).toBeUndefined();
  });

  it('reads a sector in the middle of a larger buffer', () => {
    const disk = new Uint8Array(4096);
    disk.set(encodeNtfsBootSector(geometry), 1024);
    expect(decodeNtfsBootSector(disk.subarray(1024))).toMatchObject({ fileSystemBytes: GIB - 512n });
  });
});
