import { StorageError } from '../core/errors.ts';

/** Says what is wrong with a parameter's value; `undefined` when nothing is. */
type ValueCheck = (value: string) => string | undefined;

/** The parameters one kind of class may have. What is not in the table is refused, never ignored (law 11). */
interface ParameterTable {
  readonly className: 'StorageClass' | 'VolumeSnapshotClass';
  readonly known: ReadonlyMap<string, ValueCheck>;
}

export const VOLUME_PARAMETERS: ParameterTable = {
  className: 'StorageClass',
  known: new Map([['csi.storage.k8s.io/fstype', onlyNtfs]]),
};

export const SNAPSHOT_PARAMETERS: ParameterTable = { className: 'VolumeSnapshotClass', known: new Map() };

/**
 * Keys of the Kubernetes sidecars: names of claims and secrets, meant for them. They say nothing about a disk and
 * are no part of what a volume was made with.
 */
const SIDECAR_PREFIX = 'csi.storage.k8s.io/';

type Parameters = Readonly<Record<string, string>>;

/** Why the parameters cannot be honoured, and what to change; `undefined` when they can. */
export function parameterProblem(parameters: Parameters, table: ParameterTable): string | undefined {
  for (const [key, value] of Object.entries(parameters)) {
    const check = table.known.get(key);
    const problem = check?.(value);
    if (problem !== undefined) return `parameter ${key} ${problem}: correct the ${table.className}`;
    if (check === undefined && !key.startsWith(SIDECAR_PREFIX)) return unknownParameter(key, table);
  }
  return undefined;
}

/** The parameters that are ours to keep with the volume or snapshot; `invalid-argument` when one cannot be honoured. */
export function ownParameters(parameters: Parameters, table: ParameterTable): Parameters {
  const problem = parameterProblem(parameters, table);
  if (problem !== undefined) throw new StorageError('invalid-argument', problem);
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => !key.startsWith(SIDECAR_PREFIX)));
}

/** `invalid-argument` when there are any: MODIFY_VOLUME is not advertised. */
export function refuseMutableParameters(mutable: Parameters): void {
  const keys = Object.keys(mutable);
  if (keys.length === 0) return;
  throw new StorageError(
    'invalid-argument',
    `mutable_parameters (${keys.join(', ')}) are not supported: remove the VolumeAttributesClass from the claim`,
  );
}

function unknownParameter(key: string, { className, known }: ParameterTable): string {
  const keys = known.size === 0 ? 'none' : [...known.keys()].join(', ');
  return `unknown parameter "${key}" (known: ${keys}): remove it from the ${className}`;
}

function onlyNtfs(value: string): string | undefined {
  const fits = value === '' || value.toLowerCase() === 'ntfs';
  return fits ? undefined : `is "${value}", only ntfs is supported`;
}
