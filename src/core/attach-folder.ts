import { sha256Hex } from '../util/digest.ts';
import { StorageError } from './errors.ts';

/**
 * How a disk reaches a node on the same machine. Each node owns a folder, `<attach-dir>/<node-id>/`: it announces
 * itself with `node.json`, the `local` export links a disk by adding `<volume-id>.disk.json`, and the host layer's
 * rescan turns these records into disks and drops the ones that are gone, as a hypervisor's hot-plug does.
 * Both sides write their records whole (temp, fsync, rename). Beside the folders, `pool.json` says which pool the
 * disks come from.
 */
export const NODE_RECORD_NAME = 'node.json';
export const DISK_RECORD_SUFFIX = '.disk.json';
export const KNOWN_POOL_NAME = 'pool.json';

/** Node ids that are a folder name as they are, on any file system, whatever its case rules. */
const PLAIN_NODE_ID = /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/;

/**
 * The name of a node's folder: a node id comes from outside and may be any text, `../..` included. What is not
 * plain is hashed; `node.json` holds the id itself, so that a reader can tell whose folder it is.
 */
export const nodeFolderName = (nodeId: string): string =>
  PLAIN_NODE_ID.test(nodeId) && nodeId !== KNOWN_POOL_NAME ? nodeId : `node-${sha256Hex(nodeId, 32)}`;

/** A disk plugged into a node. */
export interface AttachedDisk {
  readonly volumeId: string;
  /** Absolute path of the raw image. */
  readonly imagePath: string;
  readonly serialNumber: string;
  readonly page83: string;
}

/** The pool that the disks of this folder come from. */
export interface KnownPoolRecord {
  readonly poolId: string;
}

/** What a node says of itself. */
export interface NodeRecord {
  readonly nodeId: string;
  /** Most disks that may be plugged in at once. */
  readonly maxVolumes: number;
}

const SCHEMA = 1;

export function encodeAttachedDisk(disk: AttachedDisk): unknown {
  return { schema: SCHEMA, ...disk };
}

export function decodeAttachedDisk(value: unknown): AttachedDisk {
  const record = asRecord(value, 'attached disk');
  return {
    volumeId: text(record, 'volumeId'),
    imagePath: text(record, 'imagePath'),
    serialNumber: text(record, 'serialNumber'),
    page83: text(record, 'page83'),
  };
}

export function encodeNodeRecord(node: NodeRecord): unknown {
  return { schema: SCHEMA, ...node };
}

export function decodeNodeRecord(value: unknown): NodeRecord {
  const record = asRecord(value, 'node');
  const maxVolumes = record['maxVolumes'];
  if (typeof maxVolumes !== 'number') throw unreadable('node', 'maxVolumes is not a number');
  return { nodeId: text(record, 'nodeId'), maxVolumes };
}

export function encodeKnownPool(pool: KnownPoolRecord): unknown {
  return { schema: SCHEMA, ...pool };
}

export function decodeKnownPool(value: unknown): KnownPoolRecord {
  return { poolId: text(asRecord(value, 'pool'), 'poolId') };
}

function asRecord(value: unknown, kind: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw unreadable(kind, 'it is not an object');
  const record = value as Record<string, unknown>;
  if (record['schema'] !== SCHEMA) {
    throw unreadable(kind, `schema is ${JSON.stringify(record['schema'])}, this release reads ${SCHEMA}`);
  }
  return record;
}

function text(record: Record<string, unknown>, key: string): string {
  const value = record[key];
  if (typeof value !== 'string' || value === '') throw unreadable('attach folder', `${key} is missing`);
  return value;
}

function unreadable(kind: string, why: string): StorageError {
  return new StorageError('data-loss', `cannot read a ${kind} record: ${why}`);
}
