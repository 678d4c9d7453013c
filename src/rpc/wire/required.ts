import { StorageError } from '../../core/errors.ts';

/** A field the CSI spec marks REQUIRED; `invalid-argument` when it is empty. */
export function requiredText(value: string, field: string): string {
  if (value === '') throw missingField(field);
  return value;
}

export function missingField(field: string): StorageError {
  return new StorageError(
    'invalid-argument',
    `${field} is missing: the CSI spec requires the caller to set it`,
  );
}
