import type { ContentState } from './content-state.ts';
import { StorageError } from './errors.ts';
import type { DiskAttachment } from './ports/disk-backend.ts';

/**
 * ControllerPublishVolume's publish_context: how a node finds the disk. The controller writes it, the node reads
 * it, and kubelet replays it unchanged for as long as the volume stays attached, so `contentState` and
 * `fileSystemBytes` describe the disk as it was at `examinedAt`. It holds no secret (law 9).
 */
export function encodePublishContext(attachment: DiskAttachment): Record<string, string> {
  return {
    transport: attachment.transport,
    serialNumber: attachment.serialNumber,
    page83: attachment.page83,
    capacityBytes: attachment.capacityBytes.toString(),
    contentState: attachment.content.state,
    contentFound: attachment.content.found,
    fileSystemBytes: attachment.content.fileSystemBytes.toString(),
    examinedAt: attachment.examinedAt.toISOString(),
  };
}

/** Reads a publish_context back; `invalid-argument` names the key that is missing or wrong. */
export function decodePublishContext(context: Readonly<Record<string, string>>): DiskAttachment {
  const transport = required(context, 'transport');
  if (transport !== 'local') throw wrong('transport', transport, 'local');
  return {
    transport,
    serialNumber: required(context, 'serialNumber'),
    page83: required(context, 'page83'),
    capacityBytes: bytes(context, 'capacityBytes'),
    content: {
      state: contentState(required(context, 'contentState')),
      found: context['contentFound'] ?? '',
      fileSystemBytes: bytes(context, 'fileSystemBytes'),
    },
    examinedAt: time(context, 'examinedAt'),
  };
}

function required(context: Readonly<Record<string, string>>, key: string): string {
  const value = context[key];
  if (value === undefined || value === '') {
    throw new StorageError(
      'invalid-argument',
      `publish_context has no ${key}: it must be what ControllerPublishVolume returned; detach and attach the volume again`,
    );
  }
  return value;
}

function bytes(context: Readonly<Record<string, string>>, key: string): bigint {
  const text = required(context, key);
  if (!/^\d{1,19}$/.test(text)) throw wrong(key, text, 'a number of bytes');
  return BigInt(text);
}

function time(context: Readonly<Record<string, string>>, key: string): Date {
  const text = required(context, key);
  const date = new Date(text);
  if (Number.isNaN(date.getTime()) || date.toISOString() !== text) throw wrong(key, text, 'a time in UTC');
  return date;
}

function contentState(text: string): ContentState {
  if (text === 'blank' || text === 'ntfs' || text === 'foreign') return text;
  throw wrong('contentState', text, 'blank, ntfs or foreign');
}

function wrong(key: string, found: string, expected: string): StorageError {
  return new StorageError(
    'invalid-argument',
    `publish_context ${key} is "${found}", expected ${expected}: controller and node must be the same release`,
  );
}
