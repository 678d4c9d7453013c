import { describe, expect, it } from '@jest/globals';
import { decodeSlot, encodeSlot, SLOT_BYTES } from '../../../../src/hosts/simulated/catalog-slot.ts';
import { decodeCatalog, encodeCatalog } from '../../../../src/hosts/simulated/catalog.ts';

const slot = { sequence: 42, extent: [16384, 977], sha256: 'ab'.repeat(32) } as const;

describe('catalog of a simulated volume', () => {
  it('comes back as it was written', () => {
    const catalog = {
      sequence: 3,
      entries: [
        { kind: 'directory', path: 'ordner' },
        { kind: 'link', path: 'ordner/世界', target: '../elsewhere' },
        { kind: 'file', path: 'ordner/a', bytes: 4097, sha256: 'cd'.repeat(32), extents: [[16384, 4097]] },
      ],
    } as const;
    expect(decodeCatalog(encodeCatalog(catalog))).toEqual(catalog);
  });

  it.each(['../outside', '/absolute', 'a/../../b', 'a//b', '.', ''])('refuses the path "%s"', (path) => {
    const bytes = encodeCatalog({ sequence: 1, entries: [{ kind: 'directory', path }] });
    expect(() => decodeCatalog(bytes)).toThrow(/outside of the volume/);
  });

  it('law 4: refuses what would be written through a link', () => {
    const entries = [
      { kind: 'link', path: 'etc', target: '/etc' },
      { kind: 'file', path: 'etc/passwd', bytes: 0, sha256: '', extents: [] },
    ] as const;
    expect(() => decodeCatalog(encodeCatalog({ sequence: 1, entries }))).toThrow(/outside of the volume/);
  });

  it('refuses another schema', () => {
    expect(() => decodeCatalog(Buffer.from('{"schema":2,"sequence":1,"entries":[]}'))).toThrow(/schema 2/);
  });

  it('has a slot of one sector', () => {
    expect(encodeSlot(slot)).toHaveLength(SLOT_BYTES);
    expect(decodeSlot(encodeSlot(slot))).toEqual(slot);
  });

  it('law 8: takes no slot with a changed byte for whole', () => {
    for (let at = 0; at < 96; at++) {
      const damaged = encodeSlot(slot);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(decodeSlot(damaged)).toBeUndefined();
    }
    expect(decodeSlot(new Uint8Array(SLOT_BYTES))).toBeUndefined();
    expect(decodeSlot(new Uint8Array(10))).toBeUndefined();
  });
});
