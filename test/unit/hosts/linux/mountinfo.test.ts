import { describe, expect, it } from '@jest/globals';
import { mountAt, mountOver, mountsWithin, parseMountInfo } from '../../../../src/hosts/linux/mountinfo.ts';

const TABLE = String.raw`22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
42 27 259:1 / /tmp/pods/a\040b\134c rw,nosuid shared:3 master:1 - fuseblk /dev/loop0p2 rw,user_id=0
43 27 259:1 /sub /tmp/pods/x rw,relatime - fuseblk /dev/loop0p2 rw
44 43 0:99 / /tmp/pods/x rw - tmpfs tmpfs rw
`;

describe('parseMountInfo', () => {
  const mounts = parseMountInfo(TABLE);

  it('reads what a mount is found by', () => {
    expect(mounts[3]).toEqual({
      mountId: 43,
      device: '259:1',
      root: '/sub',
      mountPoint: '/tmp/pods/x',
      fsType: 'fuseblk',
    });
  });

  it('undoes the octal escapes of the kernel', () => {
    expect(mounts[2]?.mountPoint).toBe(String.raw`/tmp/pods/a b\c`);
  });

  it('finds the file system type behind any number of optional fields', () => {
    expect(mounts.map(({ fsType }) => fsType)).toEqual(['proc', 'ext4', 'fuseblk', 'fuseblk', 'tmpfs']);
  });

  it.each(['', '\n\n', 'nonsense'])('reads nothing from "%s"', (text) => {
    expect(parseMountInfo(text)).toEqual([]);
  });
});

describe('looking up mounts', () => {
  const mounts = parseMountInfo(TABLE);

  it('takes the mount on top where two are at one path', () => {
    expect(mountAt(mounts, '/tmp/pods/x')?.fsType).toBe('tmpfs');
    expect(mountAt(mounts, '/tmp/pods')).toBeUndefined();
  });

  it.each([
    ['/tmp/pods/x/deep/file', 44],
    ['/tmp/pods/xy', 27],
    ['/', 27],
  ])('says that %s lies on mount %d', (path, id) => {
    expect(mountOver(mounts, path)?.mountId).toBe(id);
  });

  it.each([
    ['/tmp/pods', [42, 43, 44]],
    ['/tmp/po', []],
    ['/', [22, 27, 42, 43, 44]],
  ])('finds what is mounted within %s', (path, ids) => {
    expect(mountsWithin(mounts, path).map(({ mountId }) => mountId)).toEqual(ids);
  });
});
