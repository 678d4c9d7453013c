/**
 * What the bytes of a disk say (law 1). `blank`: nothing says it ever held data, it may be formatted.
 * `ntfs`: it holds an NTFS volume. `foreign`: it holds something else; it is never formatted.
 */
export type ContentState = 'blank' | 'ntfs' | 'foreign';

export interface DiskContent {
  readonly state: ContentState;
  /** What was seen, in words, for error messages: `an ext4 file system at byte 17825792`. */
  readonly found: string;
  /** Size of the NTFS file system in bytes, 0n unless `state` is `ntfs`. */
  readonly fileSystemBytes: bigint;
}
