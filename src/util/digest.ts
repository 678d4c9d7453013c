import { createHash } from 'node:crypto';

/** First `hexDigits` hexadecimal digits of the SHA-256 of a text. */
export function sha256Hex(text: string, hexDigits: number): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').slice(0, hexDigits);
}
