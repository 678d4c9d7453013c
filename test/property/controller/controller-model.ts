import { snapshotIdFor, volumeIdFor } from '../../../src/core/ids.ts';
import type { StorageErrorCode } from '../../../src/core/errors.ts';

/** One call of the controller, by the CSI names of what it works on. Sizes are bytes, multiples of the step. */
export type Step =
  | { readonly do: 'create'; readonly name: string; readonly bytes: bigint; readonly source: ModelSource }
  | { readonly do: 'delete'; readonly name: string }
  | { readonly do: 'publish'; readonly name: string; readonly node: string }
  | { readonly do: 'unpublish'; readonly name: string; readonly node: string }
  | { readonly do: 'expand'; readonly name: string; readonly bytes: bigint }
  | { readonly do: 'snapshot'; readonly name: string; readonly volume: string }
  | { readonly do: 'delete snapshot'; readonly name: string };

export type ModelSource = `volume ${string}` | `snapshot ${string}` | 'none';

interface ModelVolume {
  readonly bytes: bigint;
  readonly source: ModelSource;
  readonly node: string | undefined;
}

interface ModelSnapshot {
  readonly volume: string;
  readonly bytes: bigint;
}

type Outcome = 'ok' | StorageErrorCode;

/** What the CSI spec makes of a sequence of calls, in the fewest words. */
export class ControllerModel {
  readonly #volumes = new Map<string, ModelVolume>();
  readonly #snapshots = new Map<string, ModelSnapshot>();

  /** Does the step and says how it must end. */
  apply(step: Step): Outcome {
    switch (step.do) {
      case 'create':
        return this.#create(step.name, step.bytes, step.source);
      case 'delete':
        return this.#delete(step.name);
      case 'publish':
        return this.#publish(step.name, step.node);
      case 'unpublish':
        return this.#unpublish(step.name, step.node);
      case 'expand':
        return this.#expand(step.name, step.bytes);
      case 'snapshot':
        return this.#snapshot(step.name, step.volume);
      case 'delete snapshot':
        this.#snapshots.delete(step.name);
        return 'ok';
    }
  }

  /** The state in a form that can be compared with the controller's lists. */
  state(): ModelState {
    const volumes = [...this.#volumes].map(([name, { bytes, source, node }]) => ({
      id: String(volumeIdFor(name)),
      bytes: bytes.toString(),
      source: sourceId(source),
      nodes: node === undefined ? [] : [node],
    }));
    const snapshots = [...this.#snapshots].map(([name, { volume, bytes }]) => ({
      id: String(snapshotIdFor(name)),
      bytes: bytes.toString(),
      volume: String(volumeIdFor(volume)),
    }));
    return { volumes: volumes.sort(byId), snapshots: snapshots.sort(byId) };
  }

  #create(name: string, bytes: bigint, source: ModelSource): Outcome {
    const existing = this.#volumes.get(name);
    if (existing !== undefined) {
      return existing.source === source && existing.bytes >= bytes ? 'ok' : 'already-exists';
    }
    const floor = this.#sourceBytes(source);
    if (floor === undefined) return 'not-found';
    this.#volumes.set(name, { bytes: floor > bytes ? floor : bytes, source, node: undefined });
    return 'ok';
  }

  #sourceBytes(source: ModelSource): bigint | undefined {
    if (source === 'none') return 0n;
    const [kind, name = ''] = source.split(' ');
    return kind === 'volume' ? this.#volumes.get(name)?.bytes : this.#snapshots.get(name)?.bytes;
  }

  #delete(name: string): Outcome {
    if (this.#volumes.get(name)?.node !== undefined) return 'failed-precondition';
    this.#volumes.delete(name);
    return 'ok';
  }

  #publish(name: string, node: string): Outcome {
    const volume = this.#volumes.get(name);
    if (volume === undefined) return 'not-found';
    if (volume.node !== undefined && volume.node !== node) return 'failed-precondition';
    this.#volumes.set(name, { ...volume, node });
    return 'ok';
  }

  #unpublish(name: string, node: string): Outcome {
    const volume = this.#volumes.get(name);
    if (volume !== undefined && (node === '' || node === volume.node)) {
      this.#volumes.set(name, { ...volume, node: undefined });
    }
    return 'ok';
  }

  #expand(name: string, bytes: bigint): Outcome {
    const volume = this.#volumes.get(name);
    if (volume === undefined) return 'not-found';
    if (bytes > volume.bytes) this.#volumes.set(name, { ...volume, bytes });
    return 'ok';
  }

  #snapshot(name: string, volume: string): Outcome {
    const existing = this.#snapshots.get(name);
    if (existing !== undefined) return existing.volume === volume ? 'ok' : 'already-exists';
    const bytes = this.#volumes.get(volume)?.bytes;
    if (bytes === undefined) return 'not-found';
    this.#snapshots.set(name, { volume, bytes });
    return 'ok';
  }
}

export interface ModelState {
  readonly volumes: readonly {
    readonly id: string;
    readonly bytes: string;
    readonly source: string;
    readonly nodes: readonly string[];
  }[];
  readonly snapshots: readonly { readonly id: string; readonly bytes: string; readonly volume: string }[];
}

/** `volume vol-…`, `snapshot snap-…`, `none`. */
function sourceId(source: ModelSource): string {
  const [kind, name = ''] = source.split(' ');
  if (kind === 'none') return 'none';
  return kind === 'volume' ? `volume ${volumeIdFor(name)}` : `snapshot ${snapshotIdFor(name)}`;
}

const byId = (one: { readonly id: string }, other: { readonly id: string }): number =>
  one.id < other.id ? -1 : 1;
