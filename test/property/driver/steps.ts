import fc from 'fast-check';
import { NODES, type NodeName, type ProcessName } from '../../support/driver-world.ts';
import type { Trouble } from '../../support/mortality.ts';

export const VOLUMES = ['a', 'b', 'c'] as const;
export const SNAPSHOTS = ['s', 't'] as const;
export const PODS = ['pod-1', 'pod-2'] as const;
export type VolumeName = (typeof VOLUMES)[number];
export type SnapshotName = (typeof SNAPSHOTS)[number];
export type PodName = (typeof PODS)[number];

export type Source = `volume ${VolumeName}` | `snapshot ${SnapshotName}` | 'none';
export type Mode = 'SINGLE_NODE_WRITER' | 'SINGLE_NODE_SINGLE_WRITER' | 'SINGLE_NODE_MULTI_WRITER';

/** An rpc that a CO calls. */
export type Call = ControllerCall | NodeCall;

export type ControllerCall =
  | { readonly do: 'create'; readonly volume: VolumeName; readonly mib: number; readonly from: Source }
  | { readonly do: 'delete'; readonly volume: VolumeName }
  | { readonly do: 'attach'; readonly volume: VolumeName; readonly node: NodeName }
  | { readonly do: 'detach'; readonly volume: VolumeName; readonly node: NodeName }
  | { readonly do: 'expand'; readonly volume: VolumeName; readonly mib: number }
  | { readonly do: 'snapshot'; readonly snapshot: SnapshotName; readonly volume: VolumeName }
  | { readonly do: 'forget'; readonly snapshot: SnapshotName };

/** `context`: kubelet replays what the attach said; the first one of this disk ever is the stalest. */
export type NodeCall = { readonly volume: VolumeName; readonly node: NodeName } & (
  | { readonly do: 'stage'; readonly context: 'newest' | 'oldest' }
  | { readonly do: 'unstage' }
  | { readonly do: 'publish'; readonly pod: PodName; readonly mode: Mode }
  | { readonly do: 'unpublish'; readonly pod: PodName }
  | { readonly do: 'grow' }
  | { readonly do: 'stats' }
);

const NODE_CALLS: readonly string[] = [
  'stage',
  'unstage',
  'publish',
  'unpublish',
  'grow',
  'stats',
] satisfies NodeCall['do'][];
export const isNodeCall = (call: Call): call is NodeCall => NODE_CALLS.includes(call.do);

/** What a reboot makes of mount points: Windows keeps them, Linux forgets them. */
export type MountPoints = 'dangle' | 'vanish';

/** What else happens to the driver and its machines. */
export type Event =
  | {
      readonly do: 'write';
      readonly volume: VolumeName;
      readonly node: NodeName;
      readonly pod: PodName;
      readonly file: string;
      /** Seed of the content; the file is removed when there is none. */
      readonly seed: number | undefined;
      readonly bytes: number;
    }
  | { readonly do: 'restart'; readonly process: ProcessName }
  | { readonly do: 'reboot'; readonly node: NodeName; readonly mountPoints: MountPoints }
  | { readonly do: 'sweep'; readonly node: NodeName; readonly atStart: boolean }
  /** A node's record of a volume is gone, or no record any more. */
  | {
      readonly do: 'spoil journal';
      readonly volume: VolumeName;
      readonly node: NodeName;
      readonly how: 'lost' | 'garbage';
    }
  /** All a node's records are gone: its state directory was wiped. */
  | { readonly do: 'wipe journal'; readonly node: NodeName }
  /** Somebody writes another file system to a detached disk that was blank. */
  | { readonly do: 'foreign disk'; readonly volume: VolumeName }
  /** The boot sector is damaged while the volume is to be staged; then it is repaired. */
  | { readonly do: 'damaged stage'; readonly volume: VolumeName; readonly node: NodeName }
  /** Somebody's files are where a link or a mount point is wanted. */
  | {
      readonly do: 'obstructed';
      readonly volume: VolumeName;
      readonly node: NodeName;
      readonly place: PodName | 'staging';
    }
  /** The right path under the name of the wrong volume. */
  | {
      readonly do: 'mistaken';
      readonly volume: VolumeName;
      readonly other: VolumeName;
      readonly node: NodeName;
      readonly place: PodName | 'staging';
    };

export interface Called {
  readonly kind: 'call';
  readonly call: Call;
  /** The first trouble befalls the first try, the second the next one; then the CO gets an answer. */
  readonly troubles: readonly Trouble[];
  /** The CO forgets about it after the first trouble. */
  readonly givesUp: boolean;
  /** A process that dies takes its machine with it. */
  readonly powerCut: 'no' | MountPoints;
  /** Made at the same time: the same call again, or one to another process or volume. */
  readonly beside: 'nothing' | 'itself' | Call | 'sweep';
}
export interface Happened {
  readonly kind: 'event';
  readonly event: Event;
  readonly troubles: readonly Trouble[];
}
export type Step = Called | Happened;

/** The first one mostly, so that things happen to it. */
const volume = fc.constantFrom<VolumeName>('a', 'a', 'a', 'a', 'b', 'c');
const snapshot = fc.constantFrom(...SNAPSHOTS);
const node = fc.constantFrom<NodeName>(NODES[0], NODES[0], NODES[0], NODES[1]);
const pod = fc.constantFrom(...PODS);
const mib = fc.constantFrom(40, 64, 200, 330);
const mode = fc.constantFrom<Mode>(
  'SINGLE_NODE_WRITER',
  'SINGLE_NODE_WRITER',
  'SINGLE_NODE_MULTI_WRITER',
  'SINGLE_NODE_SINGLE_WRITER',
);
const context = fc.constantFrom('newest' as const, 'newest' as const, 'oldest' as const);
const file = fc.constantFrom('a', 'b', 'folder/c');

const source: fc.Arbitrary<Source> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('none' as const) },
  { weight: 1, arbitrary: volume.map((name) => `volume ${name}` as const) },
  { weight: 2, arbitrary: snapshot.map((name) => `snapshot ${name}` as const) },
);

/** The first steps of a call are there in any call. */
const at = fc.constantFrom(1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 11, 12, 13);
const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('death' as const),
      at,
      how: fc.constantFrom('before' as const, 'torn' as const, 'after' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), at }),
  },
);
const troubles = fc.oneof(
  { withCrossShrink: true },
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.array(trouble, { minLength: 1, maxLength: 2 }) },
);
const seldom = fc.integer({ min: 0, max: 5 }).map((value) => value === 5);

const call: fc.Arbitrary<Call> = fc.oneof<fc.Arbitrary<Call>[]>(
  fc.record({ do: fc.constant('create'), volume, mib, from: source }),
  fc.record({ do: fc.constant('delete'), volume }),
  fc.record({ do: fc.constant('attach'), volume, node }),
  fc.record({ do: fc.constant('detach'), volume, node }),
  fc.record({ do: fc.constant('expand'), volume, mib }),
  fc.record({ do: fc.constant('snapshot'), snapshot, volume }),
  fc.record({ do: fc.constant('forget'), snapshot }),
  fc.record({ do: fc.constant('stage'), volume, node, context }),
  fc.record({ do: fc.constant('unstage'), volume, node }),
  fc.record({ do: fc.constant('publish'), volume, node, pod, mode }),
  fc.record({ do: fc.constant('unpublish'), volume, node, pod }),
  fc.record({ do: fc.constant('grow'), volume, node }),
  fc.record({ do: fc.constant('stats'), volume, node }),
);

const seed = fc.option(fc.integer({ min: 1, max: 9999 }), { nil: undefined, freq: 6 });
const bytes = fc.constantFrom(0, 1, 4096, 5000, 70_000);

const event: fc.Arbitrary<Event> = fc.oneof<fc.WeightedArbitrary<Event>[]>(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('write'), volume, node, pod, file, seed, bytes }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('restart'), process: fc.constantFrom('controller', ...NODES) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('reboot'),
      node,
      mountPoints: fc.constantFrom<MountPoints>('dangle', 'vanish'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sweep'), node, atStart: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('spoil journal'),
      volume,
      node,
      how: fc.constantFrom('lost' as const, 'garbage' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wipe journal'), node }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('foreign disk'), volume }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('damaged stage'), volume, node }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('obstructed'),
      volume,
      node,
      place: fc.constantFrom(...PODS, 'staging' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('mistaken'),
      volume,
      other: volume,
      node,
      place: fc.constantFrom(...PODS, 'staging' as const),
    }),
  },
);

const beside: fc.Arbitrary<Called['beside']> = fc.oneof(
  { withCrossShrink: true },
  { weight: 8, arbitrary: fc.constant('nothing' as const) },
  { weight: 1, arbitrary: fc.constant('itself' as const) },
  { weight: 1, arbitrary: fc.constant('sweep' as const) },
  { weight: 1, arbitrary: call },
);

const powerCut = fc.constantFrom<Called['powerCut']>(
  'no',
  'no',
  'no',
  'no',
  'no',
  'no',
  'no',
  'no',
  'dangle',
  'vanish',
);

/** Seldom; and what makes a counterexample small. */
const isLeftOut = fc.integer({ min: 0, max: 24 }).map((value) => value === 0);
const circumstances = fc.record({ troubles, givesUp: seldom, powerCut, beside, isLeftOut });
type Circumstances = Omit<Called, 'kind' | 'call'> & { readonly isLeftOut: boolean };
type MaybeStep = Step & { readonly isLeftOut: boolean };
const EVENTS = [
  'write',
  'restart',
  'reboot',
  'sweep',
  'spoil journal',
  'wipe journal',
  'foreign disk',
  'damaged stage',
  'obstructed',
  'mistaken',
] as const satisfies Event['do'][];
const isEvent = (what: Call | Event): what is Event => (EVENTS as readonly string[]).includes(what.do);

const step = (what: Call | Event, { isLeftOut: left, ...how }: Circumstances): MaybeStep =>
  isEvent(what)
    ? { kind: 'event', event: what, troubles: [], isLeftOut: left }
    : { kind: 'call', call: what, ...how, isLeftOut: left };

/** A story: calls and events one after the other, each in circumstances of its own. */
function story(...parts: readonly fc.Arbitrary<Call | Event>[]): fc.Arbitrary<MaybeStep[]> {
  return fc
    .tuple(...parts.map((part) => fc.tuple(part, circumstances)))
    .map((pairs) => pairs.map(([what, how]) => step(what, how)));
}

const it = (what: Call | Event): fc.Arbitrary<Call | Event> => fc.constant(what);

type Parts = readonly fc.Arbitrary<Call | Event>[];

const made = (name: VolumeName, from: Source = 'none'): fc.Arbitrary<Call | Event> =>
  mib.map((size) => ({ do: 'create', volume: name, mib: size, from }));

const mounted = (name: VolumeName, on: NodeName): Parts => [
  it({ do: 'attach', volume: name, node: on }),
  context.map((which) => ({ do: 'stage', volume: name, node: on, context: which })),
  pod.map((by) => ({ do: 'publish', volume: name, node: on, pod: by, mode: 'SINGLE_NODE_WRITER' })),
];

const written = (name: VolumeName, on: NodeName): Parts =>
  PODS.flatMap((by) =>
    [0, 1].map(() =>
      fc.record({
        do: fc.constant('write' as const),
        volume: fc.constant(name),
        node: fc.constant(on),
        pod: fc.constant(by),
        file,
        seed,
        bytes,
      }),
    ),
  );

const unmounted = (name: VolumeName, on: NodeName): Parts => [
  ...PODS.map((by) => it({ do: 'unpublish', volume: name, node: on, pod: by })),
  it({ do: 'unstage', volume: name, node: on }),
];

const detached = (name: VolumeName, on: NodeName): Parts => [it({ do: 'detach', volume: name, node: on })];

const [first, second] = NODES;

/** The lives that volumes have, well or badly. */
const stories: fc.Arbitrary<MaybeStep[]> = fc
  .record({ name: volume, on: node, by: snapshot, to: volume, which: pod })
  .chain(({ name, on, by, to, which }) => {
    const other = on === first ? second : first;
    const up = [...mounted(name, on), ...written(name, on)];
    const away = [...unmounted(name, on), ...detached(name, on)];
    return fc.oneof(
      { weight: 6, arbitrary: story(made(name), ...up) },
      { weight: 4, arbitrary: story(...away) },
      // Moved to the other node and back.
      { weight: 2, arbitrary: story(...up, ...away, ...mounted(name, other), ...written(name, other)) },
      // Copied, and the copy is used.
      {
        weight: 3,
        arbitrary: story(
          ...away,
          it({ do: 'snapshot', snapshot: by, volume: name }),
          made(to, `snapshot ${by}`),
          ...mounted(to, on),
          ...written(to, on),
        ),
      },
      { weight: 1, arbitrary: story(...away, made(to, `volume ${name}`), ...mounted(to, other)) },
      // Grown in use.
      {
        weight: 2,
        arbitrary: story(
          mib.map((size) => ({ do: 'expand', volume: name, mib: size })),
          it({ do: 'grow', volume: name, node: on }),
          it({ do: 'stats', volume: name, node: on }),
        ),
      },
      // Pulled out while it is in use.
      { weight: 2, arbitrary: story(...detached(name, on), ...mounted(name, other)) },
      { weight: 1, arbitrary: story(...detached(name, on), ...mounted(name, on)) },
      // Deleted and made again under its name.
      { weight: 1, arbitrary: story(...away, it({ do: 'delete', volume: name }), made(name), ...up) },
      // The node forgets.
      {
        weight: 2,
        arbitrary: story(
          fc.record({
            do: fc.constant('spoil journal' as const),
            volume: fc.constant(name),
            node: fc.constant(on),
            how: fc.constantFrom('lost' as const, 'garbage' as const),
          }),
          ...mounted(name, on),
          ...written(name, on),
        ),
      },
      // Things that must be refused.
      {
        weight: 1,
        arbitrary: story(made(to), it({ do: 'foreign disk', volume: to }), ...mounted(to, on)),
      },
      {
        weight: 2,
        arbitrary: story(
          ...away,
          it({ do: 'attach', volume: name, node: on }),
          it({ do: 'damaged stage', volume: name, node: on }),
          it({ do: 'obstructed', volume: name, node: on, place: 'staging' }),
          it({ do: 'stage', volume: name, node: on, context: 'newest' }),
          it({ do: 'obstructed', volume: name, node: on, place: which }),
          it({ do: 'mistaken', volume: name, other: to, node: on, place: 'staging' }),
        ),
      },
    );
  });

const chunk: fc.Arbitrary<MaybeStep[]> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(call, circumstances).map(([what, how]) => [step(what, how)]) },
  {
    weight: 3,
    arbitrary: fc
      .record({ kind: fc.constant('event' as const), event, troubles, isLeftOut })
      .map((happened): MaybeStep[] => [happened]),
  },
  { weight: 7, arbitrary: stories },
);

const beginning = story(made('a'), ...mounted('a', first), ...written('a', first));

/** Mostly what a CO does in its order, so that volumes do get written to, and anything in between. */
export const sequences = fc
  .tuple(beginning, fc.array(chunk, { minLength: 2, maxLength: 9, size: 'max' }))
  .map(([start, chunks]) =>
    [...start, ...chunks.flat()].flatMap(({ isLeftOut: left, ...played }) => (left ? [] : [played])),
  );
