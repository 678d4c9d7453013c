import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OnlineRecords } from '../../../../src/hosts/linux/online-records.ts';
import type { OnlineRecord } from '../../../../src/hosts/linux/online-records.ts';
import { RecordingLogger } from '../../../support/recording-logger.ts';

const disk = { volumeId: 'vol-1', imagePath: '/pool/vol-1/disk.img', serialNumber: 's 1', page83: 'naa.6' };
const growing: OnlineRecord = {
  disk,
  remount: { firstLba: 32768n, mounts: [{ path: '/pods/a b', root: '/' }] },
};

describe('OnlineRecords', () => {
  let folder: string;
  let log: RecordingLogger;
  let records: OnlineRecords;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'csi-ntfs-records-'));
    log = new RecordingLogger();
    records = new OnlineRecords(folder, log);
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('has none before the first disk is online', async () => {
    await expect(records.list()).resolves.toEqual([]);
  });

  it('reads back what it wrote, replaces and forgets it', async () => {
    await records.write({ disk });
    await records.write(growing);
    await expect(records.list()).resolves.toEqual([growing]);
    await records.remove(disk);
    await expect(records.list()).resolves.toEqual([]);
  });

  it('keeps a volume apart from another disk under the same volume id', async () => {
    const other = { ...disk, serialNumber: 's 2' };
    await records.write({ disk });
    await records.write({ disk: other });
    await records.remove(disk);
    await expect(records.list()).resolves.toEqual([{ disk: other }]);
  });

  it.each(['{', 'null', '{"schema":2}', '{"schema":1,"disk":{}}', '{"schema":1,"remount":{}}'])(
    'law 8: sets an unreadable record aside and reports it: %s',
    async (text) => {
      await records.write({ disk });
      const at = join(folder, 'online-disks');
      await writeFile(join(at, 'broken.online.json'), text);
      await expect(records.list()).resolves.toEqual([{ disk }]);
      expect(log.lines.map(({ level }) => level)).toEqual(['error']);
      expect((await readdir(at)).filter((name) => name.includes('.unreadable-'))).toHaveLength(1);
      await expect(records.list()).resolves.toEqual([{ disk }]);
      expect(log.lines).toHaveLength(1);
    },
  );

  it('law 8: clears what a crash in the middle of a write left', async () => {
    await records.write({ disk });
    await writeFile(join(folder, 'online-disks', '.x.online.json.0123456789ab.tmp'), '{"sch');
    await expect(records.list()).resolves.toEqual([{ disk }]);
    await expect(readdir(join(folder, 'online-disks'))).resolves.toHaveLength(1);
  });
});
