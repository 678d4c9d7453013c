import type { DiskIds } from '../core/ports/host-storage.ts';

/** What tells one disk from all others for ever: its serial number and its SCSI page 83 id. */
export type DiskIdentity = DiskIds;

/**
 * `same`: one id is equal and the other one is equal or unknown to one side. `conflict`: one id is equal and the
 * other is not, so one of the two lies. Ids are compared whole, after trimming the blanks hosts pad them with.
 */
export type IdentityMatch = 'same' | 'conflict' | 'other';

export function compareIdentity(one: DiskIdentity, other: DiskIdentity): IdentityMatch {
  const answers = [compareId(one.serialNumber, other.serialNumber), compareId(one.page83, other.page83)];
  if (!answers.includes('equal')) return 'other';
  return answers.includes('different') ? 'conflict' : 'same';
}

export const isSameDisk = (one: DiskIdentity, other: DiskIdentity): boolean =>
  compareIdentity(one, other) === 'same';

/** `serial number 4f1c…, page 83 naa.6…` for messages. */
export function identityText(identity: DiskIdentity): string {
  const serial = identity.serialNumber.trim();
  const page83 = identity.page83.trim();
  return `serial number ${serial === '' ? '(none)' : serial}, page 83 ${page83 === '' ? '(none)' : page83}`;
}

function compareId(one: string, other: string): 'equal' | 'different' | 'unknown' {
  const [left, right] = [one.trim(), other.trim()];
  if (left === '' || right === '') return 'unknown';
  return left === right ? 'equal' : 'different';
}
