import { access, link, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AttachedDisk,
  decodeAttachedDisk,
  decodeNodeRecord,
  DISK_RECORD_SUFFIX,
  encodeAttachedDisk,
  NODE_RECORD_NAME,
  nodeFolderName,
  type NodeRecord,
} from '../../core/attach-folder.ts';
import { messageOf, StorageError } from '../../core/errors.ts';
import { asNodeId, asVolumeId, isMadeId, type NodeId, type VolumeId } from '../../core/ids.ts';
import type { HostReadiness } from '../../core/ports/host-storage.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { isErrno, isTemporaryRecord, readRecord, removeRecord, writeRecord } from '../../util/record-file.ts';
import type { Export } from '../export.ts';
import { attempt } from '../../core/platform-errors.ts';

/** Finds what a disk record should say when the record itself cannot be read; `undefined` for an unknown volume. */
export type DescribeDisk = (id: VolumeId) => Promise<AttachedDisk | undefined>;

export interface LocalExportDeps {
  readonly log: Logger;
  readonly describeDisk: DescribeDisk;
}

export interface LocalExportOptions {
  /** Folder shared with the nodes of this machine; must survive a reboot, as the attachments do. */
  readonly attachDir: string;
}

/** Where a disk is plugged in. The folder is the key: a node is known to us only by what it wrote into it. */
interface Place {
  readonly folder: string;
  readonly nodeId: NodeId;
}

/**
 * Plugs disks into the nodes of this machine through the attach folder (`core/attach-folder.ts`). That a file
 * `<node>/<volume>.disk.json` is there, is the attachment; memory mirrors it. The host layer uses a disk only
 * while its file is there, so that removing it is what fences a node.
 */
export class LocalExport implements Export {
  readonly transport = 'local';
  readonly #attachDir: string;
  readonly #places: Map<VolumeId, readonly Place[]>;

  private constructor(attachDir: string, places: Map<VolumeId, readonly Place[]>) {
    this.#attachDir = attachDir;
    this.#places = places;
  }

  /** Reads what is attached. A disk record that cannot be read is set aside and written anew from the pool's word. */
  static async open(deps: LocalExportDeps, { attachDir }: LocalExportOptions): Promise<LocalExport> {
    return attempt(`open the attach folder ${attachDir}`, async () => {
      await mkdir(attachDir, { recursive: true });
      const folders = await readdir(attachDir, { withFileTypes: true });
      const places = new Map<VolumeId, readonly Place[]>();
      for (const { name } of folders.filter((entry) => entry.isDirectory())) {
        for (const [id, place] of await loadFolder(deps, attachDir, name)) {
          places.set(id, [...(places.get(id) ?? []), place]);
        }
      }
      reportShared(places, deps.log);
      return new LocalExport(attachDir, places);
    });
  }

  async readiness(): Promise<HostReadiness> {
    try {
      await readdir(this.#attachDir);
      return { ready: true };
    } catch (error) {
      return {
        ready: false,
        reason: `the attach folder ${this.#attachDir} cannot be read: ${messageOf(error)}`,
        mend: 'make the folder, readable by this user, and keep it on a disk that survives a reboot',
      };
    }
  }

  async attach(disk: AttachedDisk, nodeId: NodeId): Promise<void> {
    const id = asVolumeId(disk.volumeId);
    const folder = nodeFolderName(nodeId);
    const node = await this.#requireNode(nodeId);
    this.#learnName(id, { folder, nodeId });
    this.#requireFree(id, folder, nodeId);
    this.#requireRoom(node, folder);
    this.#places.set(id, [{ folder, nodeId }]);
    try {
      await attempt(`attach volume ${id} to node ${nodeId}`, () =>
        writeRecord(this.#diskPath(folder, id), encodeAttachedDisk(disk)),
      );
    } catch (error) {
      await this.#recallPlace(id, folder);
      throw error;
    }
  }

  async detach(id: VolumeId, nodeId: NodeId): Promise<void> {
    const folder = nodeFolderName(nodeId);
    const places = this.#places.get(id) ?? [];
    if (!places.some((place) => place.folder === folder)) {
      throw new StorageError('not-found', `volume ${id} is not attached to node ${nodeId}`);
    }
    await attempt(`detach volume ${id} from node ${nodeId}`, () => removeRecord(this.#diskPath(folder, id)));
    const rest = places.filter((place) => place.folder !== folder);
    if (rest.length > 0) this.#places.set(id, rest);
    else this.#places.delete(id);
  }

  attachedTo(id: VolumeId): readonly NodeId[] {
    return (this.#places.get(id) ?? []).map(({ nodeId }) => nodeId);
  }

  async #requireNode(nodeId: NodeId): Promise<NodeRecord> {
    const node = await readNode(this.#attachDir, nodeFolderName(nodeId));
    if (node?.nodeId === nodeId) return node;
    const path = join(this.#attachDir, nodeFolderName(nodeId), NODE_RECORD_NAME);
    throw new StorageError(
      'not-found',
      `there is no node ${nodeId}: it has not announced itself in ${path}; ` +
        'start the node service there with the same attach folder',
    );
  }

  /** A place found when its node had no readable record has the folder's name until now. */
  #learnName(id: VolumeId, place: Place): void {
    const places = this.#places.get(id);
    if (places === undefined) return;
    this.#places.set(
      id,
      places.map((known) => (known.folder === place.folder ? place : known)),
    );
  }

  #requireFree(id: VolumeId, folder: string, nodeId: NodeId): void {
    const places = this.#places.get(id) ?? [];
    if (places.length === 0) return;
    const [other] = places.filter((place) => place.folder !== folder);
    if (other === undefined) {
      throw new StorageError('already-exists', `volume ${id} is attached to node ${nodeId} already`);
    }
    throw new StorageError(
      'failed-precondition',
      `cannot attach volume ${id} to node ${nodeId}: it is attached to node ${other.nodeId}, and a volume has one writer; ` +
        'detach it there first',
    );
  }

  #requireRoom({ nodeId, maxVolumes }: NodeRecord, folder: string): void {
    const used = [...this.#places.values()].flat().filter((place) => place.folder === folder).length;
    if (maxVolumes <= 0 || used < maxVolumes) return;
    throw new StorageError(
      'resource-exhausted',
      `node ${nodeId} is full: ${used} disks are attached and it takes ${maxVolumes}; ` +
        'detach one, or raise --max-volumes-per-node there',
    );
  }

  /** After a failed attach: free again only when its file is known not to be there (law 7). */
  async #recallPlace(id: VolumeId, folder: string): Promise<void> {
    const isGone = await access(this.#diskPath(folder, id)).then(
      () => false,
      (error: unknown) => isErrno(error, 'ENOENT'),
    );
    if (isGone) this.#places.delete(id);
  }

  #diskPath(folder: string, id: VolumeId): string {
    return join(this.#attachDir, folder, `${id}${DISK_RECORD_SUFFIX}`);
  }
}

async function readNode(attachDir: string, folder: string): Promise<NodeRecord | undefined> {
  try {
    const record = await readRecord(join(attachDir, folder, NODE_RECORD_NAME));
    return record === undefined ? undefined : decodeNodeRecord(record);
  } catch {
    return undefined; // Unreadable is unknown: the node writes its record anew when it starts.
  }
}

/** What is plugged into one node: the names of the files say it, whatever is in them. */
async function loadFolder(
  deps: LocalExportDeps,
  attachDir: string,
  folder: string,
): Promise<readonly (readonly [VolumeId, Place])[]> {
  const names = await readdir(join(attachDir, folder));
  const leftovers = names.filter((name) => isTemporaryRecord(name) && name.includes(DISK_RECORD_SUFFIX));
  for (const name of leftovers) await removeRecord(join(attachDir, folder, name));
  const nodeId = (await readNode(attachDir, folder))?.nodeId ?? folder;
  const ids = names
    .filter((name) => name.endsWith(DISK_RECORD_SUFFIX))
    .map((name) => name.slice(0, -DISK_RECORD_SUFFIX.length))
    .filter(isMadeId)
    .map(asVolumeId);
  for (const id of ids) await mendDiskRecord(deps, join(attachDir, folder, `${id}${DISK_RECORD_SUFFIX}`), id);
  return ids.map((id) => [id, { folder, nodeId: asNodeId(nodeId) }] as const);
}

/** Makes a disk record say what the pool says: after a crash, a bad disk, or when the pool was moved. */
async function mendDiskRecord(
  { log, describeDisk }: LocalExportDeps,
  path: string,
  id: VolumeId,
): Promise<void> {
  const wanted = await describeDisk(id);
  if (wanted === undefined) {
    log.warn({ path, volumeId: id }, 'a disk is attached that the pool does not have; left as it is');
    return;
  }
  if (isSame(await readDisk(path), wanted)) return;
  const aside = `${path}.unreadable-${Date.now()}`;
  await link(path, aside); // Never renamed away: without its file the disk would be detached.
  await writeRecord(path, encodeAttachedDisk(wanted));
  log.error(
    { path, aside, volumeId: id },
    'the record of an attached disk was wrong; set aside and written anew',
  );
}

function isSame(found: AttachedDisk | undefined, wanted: AttachedDisk): boolean {
  return (
    found?.volumeId === wanted.volumeId &&
    found.imagePath === wanted.imagePath &&
    found.serialNumber === wanted.serialNumber &&
    found.page83 === wanted.page83
  );
}

async function readDisk(path: string): Promise<AttachedDisk | undefined> {
  try {
    return decodeAttachedDisk(await readRecord(path));
  } catch {
    return undefined; // The caller sets it aside and says so.
  }
}

function reportShared(places: ReadonlyMap<VolumeId, readonly Place[]>, log: Logger): void {
  for (const [volumeId, where] of places) {
    if (where.length < 2) continue;
    const nodes = where.map(({ nodeId }) => nodeId);
    log.error({ volumeId, nodes }, 'a disk is attached to more than one node; detach it from all but one');
  }
}
