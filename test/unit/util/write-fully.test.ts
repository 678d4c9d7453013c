import { describe, expect, it } from '@jest/globals';
import { writeFully } from '../../../src/util/write-fully.ts';

/** A file that takes at most so many bytes at once, and no more than it has room for. */
function smallFile(most: number, room: number): { bytes: number[]; file: Parameters<typeof writeFully>[0] } {
  const bytes: number[] = [];
  const write = (from: Uint8Array, offset: number, length: number, position: number): Promise<unknown> => {
    const bytesWritten = Math.min(most, length, room - bytes.length);
    if (bytesWritten === 0) return Promise.reject(new Error('ENOSPC'));
    from.subarray(offset, offset + bytesWritten).forEach((byte, at) => (bytes[position + at] = byte));
    return Promise.resolve({ bytesWritten, buffer: from });
  };
  return { bytes, file: { write } as Parameters<typeof writeFully>[0] };
}

describe('writeFully', () => {
  const bytes = Uint8Array.from({ length: 10 }, (_, at) => at);

  it('goes on where a write stopped short', async () => {
    const small = smallFile(3, 100);
    await writeFully(small.file, bytes, 0);
    expect(small.bytes).toEqual([...bytes]);
  });

  it('law 8: fails when not everything can be written', async () => {
    await expect(writeFully(smallFile(4, 9).file, bytes, 0)).rejects.toThrow('ENOSPC');
  });
});
