import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** What a record keeps of a secret: enough to recognise it, not to know it (law 9). */
export interface SecretHash {
  readonly salt: string;
  readonly hash: string;
}

const BYTES = 32;

export function hashSecret(secret: string, salt = randomBytes(BYTES / 2).toString('hex')): SecretHash {
  return { salt, hash: scryptSync(secret, salt, BYTES).toString('hex') };
}

export function isSecret(secret: string, { salt, hash }: SecretHash): boolean {
  const expected = Buffer.from(hash, 'hex');
  const actual = Buffer.from(hashSecret(secret, salt).hash, 'hex');
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
