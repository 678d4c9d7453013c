import type { ByteReader } from '../../src/core/disk-content.ts';

const PAGE_BYTES = 4096;

/** The bytes of a disk in memory: what was not written is zero and takes no room. */
export class SparseBytes implements ByteReader {
  readonly #pages: Map<number, Uint8Array>;

  constructor(pages: ReadonlyMap<number, Uint8Array> = new Map()) {
    this.#pages = new Map([...pages].map(([number, page]) => [number, page.slice()] as const));
  }

  copy(): SparseBytes {
    return new SparseBytes(this.#pages);
  }

  get allocatedBytes(): bigint {
    return BigInt(this.#pages.size * PAGE_BYTES);
  }

  write(offset: bigint, bytes: Uint8Array): void {
    for (const part of partsOf(offset, bytes.length)) {
      const page = this.#pages.get(part.page) ?? new Uint8Array(PAGE_BYTES);
      page.set(bytes.subarray(part.at, part.at + part.length), part.from);
      this.#pages.set(part.page, page);
    }
  }

  read(offset: bigint, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    for (const part of partsOf(offset, length)) {
      const page = this.#pages.get(part.page);
      if (page !== undefined) bytes.set(page.subarray(part.from, part.from + part.length), part.at);
    }
    return Promise.resolve(bytes);
  }
}

interface Part {
  readonly page: number;
  /** Where in the page, and where in the bytes read or written. */
  readonly from: number;
  readonly at: number;
  readonly length: number;
}

function* partsOf(offset: bigint, length: number): Generator<Part> {
  for (let at = 0; at < length;) {
    const position = Number(offset) + at;
    const from = position % PAGE_BYTES;
    const part = Math.min(PAGE_BYTES - from, length - at);
    yield { page: Math.floor(position / PAGE_BYTES), from, at, length: part };
    at += part;
  }
}
