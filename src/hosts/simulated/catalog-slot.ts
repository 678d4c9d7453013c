import { sha256Of } from './catalog.ts';
import type { Extent } from './free-space.ts';

/**
 * Where the catalog of a volume is. A volume has two slots, written in turn, so that one of them is whole whenever
 * the process dies; the one with the higher sequence holds. Each is one sector: what a disk writes at once.
 */
export interface CatalogSlot {
  readonly sequence: number;
  readonly extent: Extent;
  /** SHA-256 of the catalog, in hex. */
  readonly sha256: string;
}

export const SLOT_BYTES = 512;

const MAGIC = 'CSISIMFS';
const FIELD = { magic: 0, sequence: 8, offset: 16, bytes: 24, sha256: 32, checksum: 64 } as const;
const END = 96;

export function encodeSlot({ sequence, extent: [offset, bytes], sha256 }: CatalogSlot): Uint8Array {
  const sector = Buffer.alloc(SLOT_BYTES);
  sector.write(MAGIC, FIELD.magic, 'latin1');
  sector.writeBigUInt64LE(BigInt(sequence), FIELD.sequence);
  sector.writeBigUInt64LE(BigInt(offset), FIELD.offset);
  sector.writeBigUInt64LE(BigInt(bytes), FIELD.bytes);
  sector.write(sha256, FIELD.sha256, 'hex');
  sector.write(sha256Of(sector.subarray(0, FIELD.checksum)), FIELD.checksum, 'hex');
  return sector;
}

/** `undefined` for anything but a whole slot. */
export function decodeSlot(bytes: Uint8Array): CatalogSlot | undefined {
  const sector = Buffer.from(bytes);
  if (sector.length < END || sector.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  const checksum = sector.toString('hex', FIELD.checksum, END);
  if (checksum !== sha256Of(sector.subarray(0, FIELD.checksum))) return undefined;
  return {
    sequence: Number(sector.readBigUInt64LE(FIELD.sequence)),
    extent: [Number(sector.readBigUInt64LE(FIELD.offset)), Number(sector.readBigUInt64LE(FIELD.bytes))],
    sha256: sector.toString('hex', FIELD.sha256, FIELD.checksum),
  };
}
