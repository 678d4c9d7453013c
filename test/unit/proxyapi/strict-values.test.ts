import { describe, expect, it } from '@jest/globals';
import { asDiskNumber, asHostVolumeId } from '../../../src/core/ids.ts';
import { codecOf } from '../../../src/proxyapi/codec-of.ts';
import { methodsOf, requestOverWire } from '../../support/proxy-codecs.ts';

const invalid = expect.objectContaining({ code: 'invalid-argument' }) as unknown;

const thrownBy = (run: () => unknown): unknown => {
  try {
    return { answered: run() };
  } catch (error) {
    return error;
  }
};

const old = codecOf('disk', 'v1beta2');
const oldVolumes = codecOf('volume', 'v1beta2');
const disks = codecOf('disk', 'v1');
const volumes = codecOf('volume', 'v1');

describe('disk numbers', () => {
  it.each([
    '',
    'x',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '01',
    '1.0',
    '1e1',
    '0x1',
    '4294967296',
    '4294967297',
    '18446744073709551616',
  ])('law 2: the text %j names no disk, and is not cut to another one', (diskID) => {
    expect(thrownBy(() => old.partitionDisk?.decodeRequest({ diskID }))).toEqual(invalid);
    expect(thrownBy(() => oldVolumes.listVolumesOnDisk?.decodeRequest({ disk_id: diskID }))).toEqual(invalid);
    expect(
      thrownBy(() => oldVolumes.getDiskNumberFromVolumeId?.decodeResponse({ diskNumber: diskID })),
    ).toEqual(invalid);
    expect(
      thrownBy(() =>
        codecOf('disk', 'v1alpha1').getDiskNumberByPage83?.decodeResponse({ disk_number: diskID }),
      ),
    ).toEqual(invalid);
    expect(
      thrownBy(() => old.listDiskIds?.decodeResponse({ diskIDs: { [diskID]: { identifiers: {} } } })),
    ).toEqual(invalid);
    expect(
      thrownBy(() => codecOf('iscsi', 'v1alpha2').getTargetDisks?.decodeResponse({ diskIDs: [diskID] })),
    ).toEqual(invalid);
  });

  it.each([-1, 0.5, 2 ** 32, 2 ** 32 + 1, NaN, Infinity])(
    'law 2: the number %d names no disk, and protobuf does not get to cut it to another one',
    (number) => {
      const disk = asDiskNumber(number);
      for (const codec of [disks, old]) {
        expect(thrownBy(() => codec.partitionDisk?.encodeRequest([disk]))).toEqual(invalid);
        expect(thrownBy(() => codec.setDiskState?.encodeRequest([disk, true]))).toEqual(invalid);
        expect(
          thrownBy(() =>
            codec.listDiskIds?.encodeResponse(new Map([[disk, { page83: '', serialNumber: '' }]])),
          ),
        ).toEqual(invalid);
      }
      for (const codec of [volumes, oldVolumes]) {
        expect(thrownBy(() => codec.listVolumesOnDisk?.encodeRequest([disk, 0]))).toEqual(invalid);
        expect(thrownBy(() => codec.getDiskNumberFromVolumeId?.encodeResponse(disk))).toEqual(invalid);
      }
    },
  );

  it('are whole to the last one', () => {
    expect(old.partitionDisk?.decodeRequest({ diskID: '4294967295' })).toEqual([4294967295]);
    expect(old.partitionDisk?.decodeRequest({ diskID: '0' })).toEqual([0]);
  });
});

describe('bytes', () => {
  const volume = asHostVolumeId('v');

  it.each([-1n, 2n ** 63n])('%d is no size that can be asked for or answered', (size) => {
    for (const codec of [volumes, oldVolumes]) {
      expect(thrownBy(() => codec.resizeVolume?.encodeRequest([volume, size]))).toEqual(invalid);
      expect(
        thrownBy(() => codec.getVolumeStats?.encodeResponse({ totalBytes: 0n, usedBytes: size })),
      ).toEqual(invalid);
    }
    expect(thrownBy(() => disks.getDiskStats?.encodeResponse({ totalBytes: size }))).toEqual(invalid);
  });

  it.each(['-1', '', 'x', '1.5'])('%j is no size that was asked for or answered', (size) => {
    expect(thrownBy(() => volumes.resizeVolume?.decodeRequest({ volume_id: 'v', size_bytes: size }))).toEqual(
      invalid,
    );
    expect(thrownBy(() => oldVolumes.resizeVolume?.decodeRequest({ volume_id: 'v', size }))).toEqual(invalid);
    expect(
      thrownBy(() => volumes.getVolumeStats?.decodeResponse({ total_bytes: size, used_bytes: '0' })),
    ).toEqual(invalid);
    expect(thrownBy(() => old.getDiskStats?.decodeResponse({ diskSize: size }))).toEqual(invalid);
  });
});

describe('volume ids', () => {
  const id = '\\\\?\\Volume{7c3da0c1-0000-0000-0000-010000000000}\\';
  const other = '\\\\?\\VOLUME{A}\\';

  it.each(['v1', 'v1beta2', 'v1alpha1'] as const)(
    'in a list of %s are all that is a volume id: not the empty text of servers up to 1.2, not the lines of an error',
    (version) => {
      const list = codecOf('volume', version).listVolumesOnDisk;
      const answered = [
        '',
        id,
        'Get-Disk : No MSFT_Disk objects found',
        `${id}x`,
        id.slice(0, -1),
        ` ${id}`,
        other,
      ];
      expect(list?.decodeResponse({ volume_ids: answered })).toEqual([id, other]);
      expect(list?.decodeResponse({ volume_ids: [''] })).toEqual([]);
    },
  );

  it.each(['', 'not a mounted folder', id.slice(0, -1)])('%j is no answer for a path', (answered) => {
    const { getVolumeIdFromTargetPath } = volumes;
    expect(thrownBy(() => getVolumeIdFromTargetPath?.decodeResponse({ volume_id: answered }))).toEqual(
      invalid,
    );
  });

  it('in a request are any text: the server judges them', () => {
    expect(volumes.formatVolume?.decodeRequest({ volume_id: '-1' })).toEqual(['-1']);
  });
});

describe('what a version cannot say', () => {
  it.each(['v1beta2', 'v1beta1', 'v1alpha1'] as const)('volume %s: one partition', (version) => {
    const list = codecOf('volume', version).listVolumesOnDisk;
    expect(thrownBy(() => list?.encodeRequest([asDiskNumber(7), 2]))).toMatchObject({
      code: 'unimplemented',
      message: expect.stringContaining('partition 2 of disk 7') as unknown,
    });
    expect(list?.encodeRequest([asDiskNumber(7), 0])).toEqual({ disk_id: '7' });
  });
});

describe('iSCSI', () => {
  const { connectTarget, addTargetPortal } = codecOf('iscsi', 'v1alpha1');

  it('refuses a request without portal, on which the original server crashes', () => {
    const wire = methodsOf({ group: 'iscsi', version: 'v1alpha1' }).find(
      ({ method }) => method === 'addTargetPortal',
    );
    const request = wire && requestOverWire(wire, {});
    expect(request).toEqual({ target_portal: null });
    expect(thrownBy(() => addTargetPortal?.decodeRequest(request ?? {}))).toEqual(invalid);
  });

  it('refuses a port above 65535, which the original server would cut to another one', () => {
    expect(thrownBy(() => addTargetPortal?.encodeRequest([{ address: 'a', port: 65536 + 3260 }]))).toEqual(
      invalid,
    );
    const request = { target_portal: { target_address: 'a', target_port: 65536 } };
    expect(thrownBy(() => addTargetPortal?.decodeRequest(request))).toEqual(invalid);
  });

  it('law 9: refuses an unknown kind of authentication without its secret', () => {
    const request = {
      target_portal: { target_address: 'a', target_port: 0 },
      iqn: 'iqn.x',
      auth_type: 7,
      chap_username: 'user',
      chap_secret: 'verysecretpass',
    };
    const thrown = thrownBy(() => connectTarget?.decodeRequest(request));
    expect(thrown).toEqual(invalid);
    expect(String(thrown)).not.toContain('verysecretpass');
  });
});

describe('the error field of old responses', () => {
  it.each(['v1beta1', 'v1alpha1'] as const)(
    'law 9: %s: is no success, and its text stays out of ours',
    (version) => {
      const answers = [
        () => codecOf('smb', version).newSmbGlobalMapping?.decodeResponse({ error: 'password hunter2' }),
        () => codecOf('smb', version).removeSmbGlobalMapping?.decodeResponse({ error: 'password hunter2' }),
        () => codecOf('filesystem', version).mkdir?.decodeResponse({ error: 'hunter2' }),
        () => codecOf('filesystem', version).rmdir?.decodeResponse({ error: 'hunter2' }),
        () => codecOf('filesystem', version).createSymlink?.decodeResponse({ error: 'hunter2' }),
        () => codecOf('filesystem', version).pathExists?.decodeResponse({ error: 'hunter2', exists: false }),
        () =>
          codecOf('filesystem', version).isSymlink?.decodeResponse({
            error: 'hunter2',
            is_mount_point: false,
          }),
      ];
      for (const answer of answers) {
        const thrown = thrownBy(answer);
        expect(thrown).toMatchObject({ code: 'internal' });
        expect(String(thrown)).not.toContain('hunter2');
      }
    },
  );
});
