import { join } from 'node:path';
import { decodeAttachedDisk, DISK_RECORD_SUFFIX } from '../core/attach-folder.ts';
import type { AttachedDisk } from '../core/attach-folder.ts';
import { messageOf } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import { listRecordFolder, readRecord } from '../util/record-file.ts';

/** What is plugged into a node, by the records the export keeps there. */
export interface PluggedDisks {
  /** In the order of their volume ids. */
  readonly disks: readonly AttachedDisk[];
  /** Volumes whose record is there and cannot be read: not to be taken for unplugged. */
  readonly unreadable: ReadonlySet<string>;
}

/** Reads the attach folder of a node. A record that cannot be read is reported and left alone: it is the export's. */
export async function readAttachedDisks(folder: string, log: Logger): Promise<PluggedDisks> {
  const names = (await listRecordFolder(folder)).filter((name) => name.endsWith(DISK_RECORD_SUFFIX)).sort();
  const unreadable = new Set<string>();
  const read = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      try {
        const record = await readRecord(path);
        return record === undefined ? undefined : decodeAttachedDisk(record);
      } catch (error) {
        log.error({ path, reason: messageOf(error) }, 'cannot read a record in the attach folder');
        unreadable.add(name.slice(0, -DISK_RECORD_SUFFIX.length));
        return undefined;
      }
    }),
  );
  return { disks: read.filter((disk) => disk !== undefined), unreadable };
}
