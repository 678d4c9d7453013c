import { asSnapshotId, asVolumeId, isMadeId } from '../core/ids.ts';
import { decodePageToken, encodePageToken } from '../core/page-token.ts';
import type { DiskBackend, DiskSnapshot, ListQuery, Page } from '../core/ports/disk-backend.ts';
import type { ListSnapshotsRequest__Output } from '../gen/csi/csi/v1/ListSnapshotsRequest.ts';
import type { ListSnapshotsResponse } from '../gen/csi/csi/v1/ListSnapshotsResponse.ts';
import type { ListVolumesRequest__Output } from '../gen/csi/csi/v1/ListVolumesRequest.ts';
import type { ListVolumesResponse } from '../gen/csi/csi/v1/ListVolumesResponse.ts';
import type { UnaryHandler } from '../rpc/call.ts';
import type { ControllerParts } from './controller-parts.ts';
import { findSnapshot } from './lookup.ts';
import { snapshotMessage } from './snapshot-message.ts';
import { volumeMessage, volumeStatusMessage } from './volume-message.ts';

/**
 * The most entries of one answer, also when the caller sets no max_entries: gRPC clients refuse answers above
 * 4 MiB, and a page of this size with long conditions stays below. The rest follows with next_token.
 */
export const MAX_PAGE_ENTRIES = 5000;

const NOTHING: Page<never> = { entries: [], more: false };

/** ListVolumes: ordered by id, with condition and published nodes. */
export function listVolumes({
  backend,
  topology,
}: ControllerParts): UnaryHandler<ListVolumesRequest__Output, ListVolumesResponse> {
  return async (request, { signal }) => {
    const list = 'volumes';
    const query = pageQuery(list, request, asVolumeId);
    const page = await backend.listVolumes(query, signal);
    const entries = page.entries.map((volume) => ({
      volume: volumeMessage(volume, topology),
      status: volumeStatusMessage(volume),
    }));
    return { entries, next_token: nextToken(list, page) };
  };
}

/** ListSnapshots: all, those of one volume, or one; a filter that matches nothing gives an empty list. */
export function listSnapshots({
  backend,
}: ControllerParts): UnaryHandler<ListSnapshotsRequest__Output, ListSnapshotsResponse> {
  return async (request, { signal }) => {
    const list = snapshotListName(request);
    const query = pageQuery(list, request, asSnapshotId);
    const page = await snapshotPage(backend, request, query, signal);
    const entries = page.entries.map((snapshot) => ({ snapshot: snapshotMessage(snapshot) }));
    return { entries, next_token: nextToken(list, page) };
  };
}

type SnapshotFilter = Pick<ListSnapshotsRequest__Output, 'snapshot_id' | 'source_volume_id'>;

/** A token goes on only with the filter it was given for. */
function snapshotListName({ snapshot_id, source_volume_id }: SnapshotFilter): string {
  const only = snapshot_id === '' ? '' : ` with id ${snapshot_id}`;
  return source_volume_id === '' ? `snapshots${only}` : `snapshots${only} of volume ${source_volume_id}`;
}

async function snapshotPage(
  backend: DiskBackend,
  { snapshot_id, source_volume_id }: SnapshotFilter,
  query: ListQuery<DiskSnapshot['id']>,
  signal: AbortSignal,
): Promise<Page<DiskSnapshot>> {
  if (snapshot_id !== '') {
    const snapshot = await findSnapshot(backend, snapshot_id, signal);
    if (snapshot === undefined) return NOTHING;
    const fits = source_volume_id === '' || snapshot.sourceVolumeId === source_volume_id;
    return fits ? { entries: [snapshot], more: false } : NOTHING;
  }
  if (source_volume_id === '') return backend.listSnapshots(query, signal);
  if (!isMadeId(source_volume_id)) return NOTHING;
  return backend.listSnapshots({ ...query, sourceVolumeId: asVolumeId(source_volume_id) }, signal);
}

interface PageRequest {
  readonly max_entries: number;
  readonly starting_token: string;
}

function pageQuery<Id>(list: string, request: PageRequest, asId: (text: string) => Id): ListQuery<Id> {
  const limit =
    request.max_entries === 0 ? MAX_PAGE_ENTRIES : Math.min(request.max_entries, MAX_PAGE_ENTRIES);
  if (request.starting_token === '') return { limit };
  return { limit, after: asId(decodePageToken(list, request.starting_token)) };
}

function nextToken(list: string, { entries, more }: Page<{ readonly id: string }>): string {
  const last = entries.at(-1);
  return more && last !== undefined ? encodePageToken(list, last.id) : '';
}
