import fs, { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  isTemporaryRecord,
  removeRecord,
  setAsideRecord,
  writeRecord,
} from '../../../src/util/record-file.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

/** What is made durable, in order: `sync <name>` of a file or folder, `rename <from>`. */
async function watchDisk(): Promise<string[]> {
  const events: string[] = [];
  const probe = await open('.', 'r');
  const handles = Object.getPrototypeOf(probe) as typeof probe;
  await probe.close();
  const sync: unknown = Reflect.get(handles, 'sync');
  jest.spyOn(handles, 'sync').mockImplementation(async function (this: typeof probe) {
    const path = await fs.readlink(`/proc/self/fd/${this.fd}`);
    const whole = (await this.stat()).isFile() ? ` (${(await readFile(path, 'utf8')).length} bytes)` : '';
    events.push(`sync ${nameOf(path)}${whole}`);
    if (typeof sync === 'function') await sync.call(this);
  });
  const { rename } = fs;
  jest.spyOn(fs, 'rename').mockImplementation((from, to) => {
    events.push(`rename ${nameOf(String(from))} to ${nameOf(String(to))}`);
    return rename(from, to);
  });
  return events;
}

/** What differs from run to run has a name of its own. */
function nameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isTemporaryRecord(name)) return 'temporary';
  if (name.startsWith('csi-ntfs-')) return 'folder';
  return name.replace(/\d{13}$/, '<time>');
}

describe('a record on disk', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('law 8: is whole and on the disk before it takes the place of the old one, and then its folder too', async () => {
    await inTempFolder(async (folder) => {
      await writeFile(join(folder, 'r.json'), 'old');
      const events = await watchDisk();
      await writeRecord(join(folder, 'r.json'), { schema: 1 });
      const { length } = await readFile(join(folder, 'r.json'), 'utf8');
      expect(events).toEqual([
        `sync temporary (${length} bytes)`,
        'rename temporary to r.json',
        'sync folder',
      ]);
    });
  });

  it('law 8: is gone for good, or set aside for good, once that is answered', async () => {
    await inTempFolder(async (folder) => {
      for (const name of ['gone.json', 'bad.json']) await writeFile(join(folder, name), 'torn');
      const events = await watchDisk();
      await removeRecord(join(folder, 'gone.json'));
      await setAsideRecord(join(folder, 'bad.json'));
      expect(events).toEqual(['sync folder', 'rename bad.json to bad.json.unreadable-<time>', 'sync folder']);
    });
  });

  it('law 8: stays as it was when the new one cannot be written, and nothing is left beside it', async () => {
    await inTempFolder(async (folder) => {
      await writeFile(join(folder, 'r.json'), 'old');
      jest.spyOn(fs, 'rename').mockRejectedValue(new Error('no space left'));
      await expect(writeRecord(join(folder, 'r.json'), { schema: 1 })).rejects.toThrow('no space left');
      expect(await readdir(folder)).toEqual(['r.json']);
      expect(await readFile(join(folder, 'r.json'), 'utf8')).toBe('old');
    });
  });
});
