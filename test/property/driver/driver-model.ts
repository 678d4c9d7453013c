import { MIB, MINIMUM_VOLUME_BYTES } from '../../../src/core/capacity.ts';
import { NODES, type NodeName } from '../../support/driver-world.ts';
import type { Files } from './observe.ts';
import {
  type Call,
  type ControllerCall,
  isNodeCall,
  type Mode,
  type NodeCall,
  type PodName,
  type SnapshotName,
  type Source,
  type VolumeName,
} from './steps.ts';

/** A volume as it must be. */
export interface ModelDisk {
  readonly serial: string;
  readonly source: Source;
  capacity: bigint;
  /** Above `capacity` after an expansion that was cut off. */
  imageBytes: bigint;
  attachedTo: NodeName | undefined;
  /** What the attaches of this disk have answered; kubelet may replay any. */
  contexts: Readonly<Record<string, string>>[];
  hasFileSystem: boolean;
  /** What it holds on the disk itself: all that was flushed. */
  files: Files;
  /** Somebody else's data, which must stay as it is. */
  foreign: { readonly offset: number; readonly digest: string } | undefined;
}

export interface ModelSnapshot {
  readonly volume: VolumeName;
  readonly bytes: bigint;
  readonly hasFileSystem: boolean;
  readonly files: Files;
  readonly foreign: ModelDisk['foreign'];
}

/** A volume as one node has it. `maybe`: the CO has lost track, or the machine or its journal has. */
export interface View {
  staged: 'no' | 'yes' | 'maybe';
  /** What pods have made of the volume's files since it was staged; must be flushed by the unstage. */
  live: Files | undefined;
  /** The same, but torn away: may turn up again, may be lost. */
  ghost: Files | undefined;
  /** Links to pods; those not sure may be there, dangle, or be gone. */
  readonly targets: Map<PodName, { readonly mode: Mode; readonly sure: boolean }>;
  journal: 'sound' | 'lost' | 'unreadable';
  /** Bytes that the file system was grown to here. */
  grownTo: bigint;
}

/** `any`: an answer that is no alarm. A list: refused with one of these. */
export type Expected = 'ok' | 'any' | readonly string[];

type CallTo<Do extends Call['do']> = Extract<Call, { readonly do: Do }>;
type Context = Readonly<Record<string, string>>;

/** The one that a kubelet replays. */
export const contextOf = (which: 'newest' | 'oldest', contexts: readonly Context[]): Context | undefined =>
  which === 'newest' ? contexts.at(-1) : contexts[0];

const REFUSED: Expected = ['FAILED_PRECONDITION'];
const NOT_FOUND: Expected = ['NOT_FOUND'];

/** What the CSI spec and the laws make of any sequence of calls and accidents. */
export class DriverModel {
  readonly disks = new Map<VolumeName, ModelDisk>();
  readonly snapshots = new Map<SnapshotName, ModelSnapshot>();
  readonly #views = new Map<string, View>();
  readonly #journalsBegun = new Map<NodeName, Date>();
  /** The pool copies disks in use. */
  liveSnapshots = false;

  /** Outlives the volume: a node may still have what its CO deleted. */
  view(volume: VolumeName, node: NodeName): View {
    const key = `${volume} on ${node}`;
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const fresh: View = {
      staged: 'no',
      live: undefined,
      ghost: undefined,
      targets: new Map(),
      journal: 'sound',
      grownTo: 0n,
    };
    this.#views.set(key, fresh);
    return fresh;
  }

  expected(call: Call): Expected {
    return isNodeCall(call) ? this.#expectedOnNode(call) : this.#expectedOfController(call);
  }

  #expectedOfController(call: ControllerCall): Expected {
    switch (call.do) {
      case 'create':
        return this.#expectedCreate(call);
      case 'delete':
        return this.disks.get(call.volume)?.attachedTo === undefined ? 'ok' : REFUSED;
      case 'attach':
        return this.#expectedAttach(call.volume, call.node);
      case 'expand':
        return this.disks.has(call.volume) ? 'ok' : NOT_FOUND;
      case 'snapshot':
        return this.#expectedSnapshot(call);
      case 'detach':
      case 'forget':
        return 'ok';
    }
  }

  #expectedOnNode(call: NodeCall): Expected {
    switch (call.do) {
      case 'unpublish':
        return 'ok';
      case 'stage':
        return this.#expectedStage(call);
      case 'publish':
        return this.#expectedPublish(call);
      case 'unstage':
        return this.#expectedUnstage(this.view(call.volume, call.node));
      case 'grow':
      case 'stats':
        return { yes: 'ok', maybe: 'any', no: NOT_FOUND }[
          this.view(call.volume, call.node).staged
        ] as Expected;
    }
  }

  #expectedCreate({ volume, mib, from }: CallTo<'create'>): Expected {
    const existing = this.disks.get(volume);
    if (existing !== undefined) {
      return existing.source === from && existing.capacity >= BigInt(mib) * MIB ? 'ok' : ['ALREADY_EXISTS'];
    }
    if (from === 'none') return 'ok';
    const source = this.#sourceOf(from);
    if (source === undefined) return NOT_FOUND;
    if ('attachedTo' in source && source.attachedTo !== undefined && !this.liveSnapshots) return REFUSED;
    return 'imageBytes' in source && source.imageBytes > this.sizeFor(mib, from) ? ['OUT_OF_RANGE'] : 'ok';
  }

  #expectedAttach(volume: VolumeName, node: NodeName): Expected {
    const disk = this.disks.get(volume);
    if (disk === undefined) return NOT_FOUND;
    return disk.attachedTo === undefined || disk.attachedTo === node ? 'ok' : REFUSED;
  }

  #expectedSnapshot({ snapshot, volume }: CallTo<'snapshot'>): Expected {
    const existing = this.snapshots.get(snapshot);
    if (existing !== undefined) return existing.volume === volume ? 'ok' : ['ALREADY_EXISTS'];
    const source = this.disks.get(volume);
    if (source === undefined) return NOT_FOUND;
    return source.attachedTo !== undefined && !this.liveSnapshots ? REFUSED : 'ok';
  }

  #expectedStage({ volume, node, context: which }: CallTo<'stage'>): Expected {
    const disk = this.disks.get(volume);
    const context = disk === undefined ? undefined : contextOf(which, disk.contexts);
    if (disk === undefined || context === undefined) return ['INVALID_ARGUMENT'];
    if (disk.attachedTo !== node) return ['UNAVAILABLE', 'FAILED_PRECONDITION'];
    if (disk.foreign !== undefined) return REFUSED;
    if (disk.hasFileSystem) return 'ok';
    if (this.view(volume, node).journal === 'unreadable') return REFUSED;
    const isWitness = new Date(context['examinedAt'] ?? '') >= this.#journalBegun(node);
    return isWitness ? 'ok' : which === 'newest' ? REFUSED : 'any';
  }

  #journalBegun(node: NodeName): Date {
    return this.#journalsBegun.get(node) ?? new Date(0);
  }

  #expectedPublish({ volume, node, pod, mode }: CallTo<'publish'>): Expected {
    const { staged, targets } = this.view(volume, node);
    if (staged !== 'yes') return staged === 'no' ? REFUSED : 'any';
    if ([...targets.values()].some(({ sure }) => !sure)) return 'any';
    const same = targets.get(pod);
    if (same !== undefined) return same.mode === mode ? 'ok' : ['ALREADY_EXISTS'];
    const single = [mode, ...[...targets.values()].map((one) => one.mode)].includes(
      'SINGLE_NODE_SINGLE_WRITER',
    );
    return targets.size > 0 && single ? REFUSED : 'ok';
  }

  #expectedUnstage({ staged, targets }: View): Expected {
    if (staged === 'no' || targets.size === 0) return 'ok';
    const sure = [...targets.values()].some((target) => target.sure);
    return staged === 'yes' && sure ? REFUSED : 'any';
  }

  #sourceOf(from: Source): ModelDisk | ModelSnapshot | undefined {
    const [kind, name] = from.split(' ');
    return kind === 'volume' ? this.disks.get(name as VolumeName) : this.snapshots.get(name as SnapshotName);
  }

  sizeFor(mib: number, from: Source): bigint {
    const source = this.#sourceOf(from);
    const least = source === undefined ? 0n : 'bytes' in source ? source.bytes : source.capacity;
    return [BigInt(mib) * MIB, least, MINIMUM_VOLUME_BYTES].reduce((most, one) => (one > most ? one : most));
  }

  /** A disk was made under this serial number. */
  created({ volume, mib, from }: CallTo<'create'>, serial: string): void {
    if (this.disks.has(volume)) return;
    const source = this.#sourceOf(from);
    const capacity = this.sizeFor(mib, from);
    this.disks.set(volume, {
      serial,
      source: from,
      capacity,
      imageBytes: capacity,
      attachedTo: undefined,
      contexts: [],
      hasFileSystem: source?.hasFileSystem ?? false,
      files: source?.files ?? new Map<string, string>(),
      foreign: source?.foreign,
    });
  }

  attached(volume: VolumeName, node: NodeName, context: Readonly<Record<string, string>> | undefined): void {
    const disk = this.disks.get(volume);
    if (disk === undefined) return;
    disk.attachedTo = node;
    if (context !== undefined) disk.contexts = [...disk.contexts, context];
  }

  /** A disk that is pulled out while it is in use takes with it what was not flushed. */
  detached(volume: VolumeName, node: NodeName): void {
    const disk = this.disks.get(volume);
    if (disk?.attachedTo !== node) return;
    disk.attachedTo = undefined;
    const view = this.view(volume, node);
    if (view.staged === 'no') return;
    view.ghost = view.live;
    loseTrack(view);
    view.live = undefined;
  }

  expanded(volume: VolumeName, mib: number): void {
    const disk = this.disks.get(volume);
    if (disk !== undefined && BigInt(mib) * MIB > disk.capacity) disk.capacity = BigInt(mib) * MIB;
  }

  snapshotted(snapshot: SnapshotName, volume: VolumeName): void {
    const disk = this.disks.get(volume);
    if (disk === undefined || this.snapshots.has(snapshot)) return;
    const { imageBytes: bytes, hasFileSystem, files, foreign } = disk;
    this.snapshots.set(snapshot, { volume, bytes, hasFileSystem, files, foreign });
  }

  deleted(volume: VolumeName): void {
    this.disks.delete(volume);
    for (const node of NODES) {
      const view = this.view(volume, node);
      view.live = undefined;
      view.ghost = undefined;
    }
  }

  /** What a pod finds is for the caller to compare with `acceptable`. */
  staged(volume: VolumeName, node: NodeName): void {
    const view = this.view(volume, node);
    const disk = this.disks.get(volume);
    if (view.staged === 'yes' || disk === undefined) return;
    view.staged = 'yes';
    view.journal = 'sound';
    view.grownTo = 0n;
    disk.hasFileSystem = true;
  }

  /** What a volume may hold for its first reader after it was staged. */
  acceptable(volume: VolumeName, node: NodeName): readonly Files[] {
    const { live, ghost } = this.view(volume, node);
    const disk = this.disks.get(volume);
    if (live !== undefined) return [live];
    return [disk?.files ?? new Map<string, string>(), ...(ghost === undefined ? [] : [ghost])];
  }

  unstaged(volume: VolumeName, node: NodeName): void {
    const view = this.view(volume, node);
    view.staged = 'no';
    view.ghost = undefined;
  }

  /** A call that changes a node was given up half-way. */
  abandoned(call: NodeCall): void {
    const view = this.view(call.volume, call.node);
    if (call.do === 'stage' && view.staged === 'no') view.staged = 'maybe';
    if (call.do === 'unstage' && view.staged === 'yes') view.staged = 'maybe';
    if (call.do === 'publish' && view.staged !== 'no' && view.targets.get(call.pod)?.sure !== true) {
      view.targets.set(call.pod, { mode: call.mode, sure: false });
    }
    if (call.do === 'unpublish') {
      const target = view.targets.get(call.pod);
      if (target !== undefined) view.targets.set(call.pod, { ...target, sure: false });
    }
  }

  rebooted(node: NodeName, volumes: readonly VolumeName[]): void {
    for (const volume of volumes) {
      const view = this.view(volume, node);
      view.live = undefined;
      view.ghost = undefined;
      if (view.staged !== 'no') loseTrack(view);
    }
  }

  /** What a node's state directory held is gone. */
  journalWiped(node: NodeName, volumes: readonly VolumeName[], at: Date): void {
    this.#journalsBegun.set(node, at);
    for (const volume of volumes) this.journalSpoiled(volume, node, 'lost');
  }

  journalSpoiled(volume: VolumeName, node: NodeName, how: 'lost' | 'garbage'): void {
    const view = this.view(volume, node);
    view.journal = how === 'lost' ? 'lost' : 'unreadable';
    if (view.staged !== 'no') loseTrack(view);
  }
}

function loseTrack(view: View): void {
  view.staged = 'maybe';
  for (const [pod, target] of view.targets) view.targets.set(pod, { ...target, sure: false });
}
