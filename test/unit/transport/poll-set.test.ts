import { describe, expect, it } from '@jest/globals';
import { PollSet } from '../../../src/transport/poll-set.ts';

const LINUX = { bytes: 8, handleBytes: 4, readable: 1, writable: 4, broken: 8 | 16 | 32 } as const;
const WINDOWS = { bytes: 16, handleBytes: 8, readable: 0x100, writable: 0x10, broken: 7 } as const;

describe('PollSet', () => {
  it("writes Linux' struct pollfd", () => {
    const set = new PollSet(LINUX);
    set.add(5, { read: true, write: true });
    expect(Buffer.from(set.bytes).subarray(0, 8)).toEqual(Buffer.from([5, 0, 0, 0, 5, 0, 0, 0]));
  });

  it("writes Windows' WSAPOLLFD, with a SOCKET of 64 bits", () => {
    const set = new PollSet(WINDOWS);
    set.add(0x1_0000_0004, { read: true, write: false });
    expect(Buffer.from(set.bytes).subarray(0, 16)).toEqual(
      Buffer.from([4, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    );
  });

  it.each([LINUX, WINDOWS])('reads what was found, and grows (%j)', (layout) => {
    const set = new PollSet(layout);
    for (let handle = 0; handle < 100; handle += 1) set.add(handle, { read: true, write: false });
    const answer = (index: number, bits: number): void => {
      Buffer.from(set.bytes.buffer).writeInt16LE(bits, index * layout.bytes + layout.handleBytes + 2);
    };
    answer(3, layout.readable);
    answer(99, layout.broken);
    expect(set.count).toBe(100);
    expect(set.readiness(0)).toBeUndefined();
    expect(set.readiness(3)).toEqual({ readable: true, writable: false, broken: false });
    expect(set.readiness(99)).toEqual({ readable: false, writable: false, broken: true });
  });

  it('forgets the last answer when it is filled anew', () => {
    const set = new PollSet(LINUX);
    set.add(5, { read: true, write: false });
    Buffer.from(set.bytes.buffer, set.bytes.byteOffset).writeInt16LE(1, 6);
    set.clear();
    set.add(6, { read: false, write: true });
    expect(set.readiness(0)).toBeUndefined();
  });
});
