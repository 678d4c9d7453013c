import { StorageError } from '../../core/errors.ts';
import type { IscsiAuthentication } from '../../core/ports/host-storage.ts';
import type { IscsiTarget } from './iscsi-targets.ts';
import { isSecret } from './secret-hash.ts';
import type { SecretHash } from './secret-hash.ts';

/** Windows takes no others. */
const MIN_SECRET_BYTES = 12;
const MAX_SECRET_BYTES = 16;

/** Says whose secret has the wrong length, never what it is (law 9). */
export function requireSecretLength(secret: string, whose: string): void {
  const bytes = Buffer.byteLength(secret, 'utf8');
  if (bytes >= MIN_SECRET_BYTES && bytes <= MAX_SECRET_BYTES) return;
  throw new StorageError(
    'invalid-argument',
    `${whose} has ${bytes} bytes: Windows takes CHAP secrets of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} bytes`,
  );
}

/** Both sides of the login; `own` is the initiator's own secret. Throws when one side refuses the other. */
export function requireLogin(
  target: IscsiTarget,
  authentication: IscsiAuthentication,
  own: SecretHash | undefined,
): void {
  const { chap, iqn } = target;
  if (authentication.type === 'none') {
    if (chap !== undefined) throw refused(iqn, 'the target asks for CHAP');
    return;
  }
  requireSecretLength(authentication.secret, `the CHAP secret for the target ${iqn}`);
  if (chap === undefined) throw refused(iqn, 'the target does not take CHAP');
  if (chap.username !== authentication.username || chap.secret !== authentication.secret) {
    throw refused(iqn, 'the target refuses the CHAP user name or secret');
  }
  if (authentication.type === 'mutual-chap') requireProof(target, own);
}

function requireProof({ iqn, mutualSecret }: IscsiTarget, own: SecretHash | undefined): void {
  if (own === undefined)
    throw refused(iqn, 'this initiator has no secret of its own: set the mutual CHAP secret');
  if (mutualSecret === undefined || !isSecret(mutualSecret, own)) {
    throw refused(iqn, "the target does not know this initiator's mutual CHAP secret");
  }
}

const refused = (iqn: string, why: string): StorageError =>
  new StorageError('failed-precondition', `cannot log in to the iSCSI target ${iqn}: ${why}`);
