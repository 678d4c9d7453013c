import { join } from 'node:path';
import { decodeAttachedDisk, DISK_RECORD_SUFFIX } from '../core/attach-folder.ts';
import type { AttachedDisk } from '../core/attach-folder.ts';
import { messageOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import { listRecordFolder, readRecord } from '../util/record-file.ts';

/**
 * The disks plugged into a node, in the order of their volume ids. The records are the export's: one that cannot
 * be read is reported and left alone, and there is no disk.
 */
export async function readAttachedDisks(folder: string, log: Logger): Promise<readonly AttachedDisk[]> {
  const names = (await listRecordFolder(folder)).filter((name) => name.endsWith(DISK_RECORD_SUFFIX)).sort();
  const disks = await Promise.all(names.map((name) => readDisk(join(folder, name), log)));
  return disks.filter((disk) => disk !== undefined);
}

async function readDisk(path: string, log: Logger): Promise<AttachedDisk | undefined> {
  try {
    const record = await readRecord(path);
    return record === undefined ? undefined : decodeAttachedDisk(record);
  } catch (error) {
    log.error({ path, reason: messageOf(error) }, 'skipped an unreadable record in the attach folder');
    return undefined;
  }
}
