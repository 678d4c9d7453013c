import { sha256Hex } from '../util/digest.ts';

/**
 * Identifiers are branded: a disk number is not any number, a volume id is not any string.
 * They are opaque outside the adapter that made them.
 */
declare const brand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [brand]: Name };

/** Id of a CSI volume: url-safe, at most 36 bytes, fixed by the CSI name (`volumeIdFor`). */
export type VolumeId = Branded<string, 'VolumeId'>;
/** Id of a CSI snapshot, made like a volume id. */
export type SnapshotId = Branded<string, 'SnapshotId'>;
/** Id of a node as NodeGetInfo reports it. */
export type NodeId = Branded<string, 'NodeId'>;
/** Windows disk number. Volatile: it may mean another disk after any attach or reboot (law 2). */
export type DiskNumber = Branded<number, 'DiskNumber'>;
/** Windows volume name `\\?\Volume{guid}\`, passed back byte for byte. */
export type HostVolumeId = Branded<string, 'HostVolumeId'>;

/** Gives a text that came from the wire, a record or the host its type. Nothing is checked here. */
export const asVolumeId = (text: string): VolumeId => text as VolumeId;
export const asSnapshotId = (text: string): SnapshotId => text as SnapshotId;
export const asNodeId = (text: string): NodeId => text as NodeId;
export const asDiskNumber = (number: number): DiskNumber => number as DiskNumber;
export const asHostVolumeId = (text: string): HostVolumeId => text as HostVolumeId;

/** Formats a GPT partition GUID as the Windows volume name of that partition. */
export const hostVolumeIdOf = (partitionGuid: string): HostVolumeId =>
  asHostVolumeId(`\\\\?\\Volume{${partitionGuid.toLowerCase()}}\\`);

/**
 * The id of the volume or snapshot with this CSI name. It follows from the name alone, so that a create retried
 * after a crash finds what it made. Url-safe and at most 36 bytes however long the name is.
 */
export const volumeIdFor = (name: string): VolumeId => asVolumeId(`vol-${sha256Hex(name, 32)}`);
export const snapshotIdFor = (name: string): SnapshotId => asSnapshotId(`snap-${sha256Hex(name, 30)}`);

/** The ids we make: what a record on disk, a page token or an attach folder may be named. */
const MADE_ID = /^[a-z0-9][a-z0-9-]{0,35}$/;

/** False for ids that no `CreateVolume` or `CreateSnapshot` of ours can have returned; such a thing does not exist. */
export const isMadeId = (id: string): boolean => MADE_ID.test(id);
