import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from '@jest/globals';
import { volumeIdFor } from '../../../src/core/ids.ts';
import {
  CONTROLLER,
  DriverWorld,
  makeForeignThings,
  type NodeName,
  type Reply,
} from '../../support/driver-world.ts';
import type { Trouble } from '../../support/mortality.ts';
import { check, serialOf } from './check.ts';
import { DriverModel, type Expected } from './driver-model.ts';
import {
  bytesAt,
  contentOf,
  digestOf,
  filesBelow,
  leadsNowhere,
  volumeOffset,
  whatIsAt,
  writeAt,
} from './observe.ts';
import { requestOf } from './requests.ts';
import {
  type Call,
  type Called,
  type Event,
  type Happened,
  isNodeCall,
  type NodeCall,
  type Step,
  VOLUMES,
} from './steps.ts';

/** More tries than any two troubles and one competitor can cost. */
const MOST_TRIES = 8;
/** Answers after which a CO tries again. */
const AGAIN = ['died', 'CANCELLED', 'ABORTED'];
/** Never right, whatever was asked. */
const ALARMING = ['INTERNAL', 'UNKNOWN', 'DATA_LOSS', 'died'];

interface Pending {
  readonly call: Call;
  readonly expected: Expected;
  readonly troubles: readonly Trouble[];
  readonly givesUp: boolean;
}

/** Plays a sequence on a world, and the model beside it. */
export class Play {
  readonly world: DriverWorld;
  readonly model: DriverModel;

  private constructor(world: DriverWorld) {
    this.world = world;
    this.model = new DriverModel();
    this.model.liveSnapshots = world.liveSnapshots;
  }

  static async begin(root: string): Promise<Play> {
    await makeForeignThings(join(root, 'foreign'));
    return new Play(await DriverWorld.open(root));
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'event') await this.#happen(step);
    else await this.#call(step);
    await check(this);
  }

  /** Calls until there is an answer, which must be OK. */
  async must(call: Call): Promise<void> {
    await this.#answered([{ call, expected: 'ok', troubles: [], givesUp: false }], 'no');
  }

  async #call({ call, troubles, givesUp, powerCut, beside }: Called): Promise<void> {
    const pending: Pending[] = [{ call, expected: this.model.expected(call), troubles, givesUp }];
    if (beside === 'itself')
      pending.push({ call, expected: this.model.expected(call), troubles: [], givesUp: false });
    else if (typeof beside === 'object' && areIndependent(call, beside)) {
      pending.push({ call: beside, expected: this.model.expected(beside), troubles: [], givesUp: false });
    }
    const sweep = beside === 'sweep' && isNodeCall(call) ? call.node : undefined;
    await this.#answered(pending, powerCut, sweep);
  }

  /** Tries at the same time what is pending, again and again, until everything is answered or given up. */
  async #answered(all: readonly Pending[], powerCut: Called['powerCut'], sweep?: NodeName): Promise<void> {
    let pending = all;
    for (let round = 0; pending.length > 0; round++) {
      if (round === MOST_TRIES)
        throw new Error(`no answer after ${MOST_TRIES} tries: ${JSON.stringify(pending)}`);
      const sweeping = sweep === undefined ? undefined : this.world.sweep(sweep, false);
      const replies = await Promise.all(
        pending.map(async (one) => [one, await this.#try(one.call, one.troubles[round])] as const),
      );
      await sweeping;
      const competed = pending.length > 1 || sweep !== undefined;
      const rebooted = await this.#bury(powerCut);
      pending = [];
      for (const [one, reply] of replies) {
        const goesOn = await this.#answer(one, reply, { competed, rebooted });
        if (goesOn) pending = [...pending, one];
      }
    }
  }

  #try(call: Call, trouble: Trouble | undefined): Promise<Reply> {
    const { process, method, fields } = requestOf(call, this.world, this.model);
    return this.world.call(process, method, fields, trouble);
  }

  /** Starts anew what has died; a power cut takes the machine of a node along. */
  async #bury(powerCut: Called['powerCut']): Promise<NodeName | undefined> {
    let rebooted: NodeName | undefined;
    for (const name of [CONTROLLER, 'node-a', 'node-b'] as const) {
      await this.world.settled(name);
      if (!this.world.isDead(name)) continue;
      if (name === CONTROLLER || powerCut === 'no') {
        await this.world.restart(name);
        continue;
      }
      await this.world.reboot(name, powerCut);
      this.model.rebooted(name, VOLUMES);
      rebooted = name;
    }
    return rebooted;
  }

  /** True when the CO tries again. */
  async #answer(
    one: Pending,
    reply: Reply,
    round: { readonly competed: boolean; readonly rebooted: NodeName | undefined },
  ): Promise<boolean> {
    const { call } = one;
    const context = `${JSON.stringify(one)} was answered ${reply.code}: ${reply.message}`;
    if (reply.code === 'ABORTED' && !round.competed) throw new Error(`nobody was in the way, but ${context}`);
    const ofRebooted = isNodeCall(call) && call.node === round.rebooted;
    if (AGAIN.includes(reply.code)) {
      if (!ofRebooted && !(one.givesUp && reply.code !== 'ABORTED')) return true;
      await this.#abandon(call);
      return false;
    }
    requireExpected(one.expected, reply, context);
    if (reply.code === 'OK') await this.#succeed(call, reply);
    if (ofRebooted) this.model.rebooted(call.node, VOLUMES);
    return false;
  }

  /** Nobody knows what came of it: a controller is asked, a node is not to be trusted. */
  async #abandon(call: Call): Promise<void> {
    if (isNodeCall(call)) this.model.abandoned(call);
    else if (await this.#tookEffect(call)) await this.#succeed(call, undefined);
  }

  async #tookEffect(call: Call): Promise<boolean> {
    if (call.do === 'snapshot' || call.do === 'forget') {
      const listed = await this.world.call(CONTROLLER, 'ListSnapshots', {});
      const ids = (listed.answer as { entries: { snapshot: { snapshot_id: string } }[] }).entries;
      const { fields } = requestOf({ do: 'forget', snapshot: call.snapshot }, this.world, this.model);
      const isThere = ids.some(
        ({ snapshot }) => snapshot.snapshot_id === (fields as { snapshot_id: string }).snapshot_id,
      );
      return isThere === (call.do === 'snapshot');
    }
    const volume_id = volumeIdFor(call.volume);
    const found = await this.world.call(CONTROLLER, 'ControllerGetVolume', { volume_id });
    if (found.code !== 'OK') return call.do === 'delete';
    const { volume, status } = found.answer as {
      volume: { capacity_bytes: string };
      status: { published_node_ids: string[] };
    };
    if (call.do === 'create') return true;
    if (call.do === 'attach') return status.published_node_ids.includes(call.node);
    if (call.do === 'detach') return !status.published_node_ids.includes(call.node);
    return (
      call.do === 'expand' &&
      BigInt(volume.capacity_bytes) > (this.model.disks.get(call.volume)?.capacity ?? 0n)
    );
  }

  async #succeed(call: Call, reply: Reply | undefined): Promise<void> {
    const { model } = this;
    switch (call.do) {
      case 'create':
        model.created(call, await serialOf(this.world, call.volume));
        return;
      case 'delete':
        model.deleted(call.volume);
        return;
      case 'attach':
        model.attached(
          call.volume,
          call.node,
          (reply?.answer as { publish_context: Record<string, string> } | undefined)?.publish_context,
        );
        return;
      case 'detach':
        model.detached(call.volume, call.node);
        return;
      case 'expand':
        model.expanded(call.volume, call.mib);
        return;
      case 'snapshot':
        model.snapshotted(call.snapshot, call.volume);
        return;
      case 'forget':
        model.snapshots.delete(call.snapshot);
        return;
      default:
        await this.#succeedOnNode(call, reply);
    }
  }

  async #succeedOnNode(call: NodeCall, reply: Reply | undefined): Promise<void> {
    const { model, world } = this;
    const { volume, node } = call;
    const view = model.view(volume, node);
    switch (call.do) {
      case 'stage': {
        if (view.staged === 'yes') return;
        const found = await filesBelow(world.stagingPath(node, volume));
        expect(model.acceptable(volume, node)).toContainEqual(found);
        model.staged(volume, node);
        view.live = found;
        view.ghost = undefined;
        return;
      }
      case 'unstage':
        model.unstaged(volume, node);
        return;
      case 'publish': {
        const wasLost = view.staged !== 'yes';
        if (wasLost) await this.#foundStaged(call);
        view.targets.set(call.pod, { mode: call.mode, sure: true });
        return;
      }
      case 'unpublish':
        view.targets.delete(call.pod);
        return;
      case 'grow':
        view.grownTo = model.disks.get(volume)?.capacity ?? 0n;
        return;
      case 'stats':
        expectSoundStats(reply, view.staged === 'yes' ? view.grownTo : 0n);
        return;
      default:
    }
  }

  /** A node that has published a volume has it staged, whatever was known of it. */
  async #foundStaged({ volume, node }: NodeCall): Promise<void> {
    const view = this.model.view(volume, node);
    const found = await filesBelow(this.world.stagingPath(node, volume));
    expect(this.model.acceptable(volume, node)).toContainEqual(found);
    this.model.staged(volume, node);
    view.live = found;
    view.ghost = undefined;
  }

  async #happen({ event, troubles }: Happened): Promise<void> {
    const { world, model } = this;
    switch (event.do) {
      case 'write':
        return this.#write(event);
      case 'restart':
        return world.restart(event.process, troubles[0]);
      case 'reboot':
        await world.reboot(event.node, event.mountPoints);
        model.rebooted(event.node, VOLUMES);
        return;
      case 'sweep':
        await world.sweep(event.node, event.atStart, troubles[0]);
        await this.#bury('no');
        if (event.atStart && troubles.length === 0) await this.#expectSwept(event.node);
        return;
      case 'spoil journal':
        return this.#spoilJournal(event);
      case 'wipe journal':
        await rm(world.journalDir(event.node), { recursive: true });
        model.journalWiped(event.node, VOLUMES, new Date());
        return world.restart(event.node);
      case 'foreign disk':
        return this.#makeForeign(event);
      case 'damaged stage':
        return this.#stageDamaged(event);
      case 'obstructed':
        return this.#obstruct(event);
      case 'mistaken':
        return this.#mistake(event);
    }
  }

  /** Law 12: kubelet fails on a mount point that leads nowhere, so the first sweep leaves none that the journal knows of. */
  async #expectSwept(node: NodeName): Promise<void> {
    for (const volume of VOLUMES) {
      const path = this.world.stagingPath(node, volume);
      if (this.model.view(volume, node).journal !== 'sound') continue;
      expect({ volume, leadsNowhere: await leadsNowhere(path) }).toEqual({ volume, leadsNowhere: false });
    }
  }

  /** What a pod does: it knows its own path only. */
  async #write({ volume, node, pod, file, seed, bytes }: EventOf<'write'>): Promise<void> {
    const view = this.model.view(volume, node);
    if (view.staged !== 'yes' || view.targets.get(pod)?.sure !== true || view.live === undefined) return;
    const path = join(this.world.targetPath(node, volume, pod), file);
    const live = new Map(view.live);
    if (seed === undefined) {
      await rm(path, { force: true });
      live.delete(file);
    } else {
      const content = contentOf(seed, bytes);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      live.set(file, digestOf(content));
    }
    view.live = live;
  }

  async #spoilJournal({ volume, node, how }: EventOf<'spoil journal'>): Promise<void> {
    const folder = this.world.journalDir(node);
    const id = volumeIdFor(volume);
    if (how === 'garbage') await writeFile(join(folder, `${id}.json`), '{"schema": 1, "volumeId": 7');
    else await removeStartingWith(folder, id);
    this.model.journalSpoiled(volume, node, how);
  }

  async #makeForeign({ volume }: EventOf<'foreign disk'>): Promise<void> {
    const disk = this.model.disks.get(volume);
    if (disk === undefined || disk.attachedTo !== undefined || disk.hasFileSystem || disk.foreign) return;
    const image = this.world.volumeImage(volume);
    const offset = (await volumeOffset(image)) ?? 0;
    await writeAt(image, offset + EXT4.magicAt, EXT4.magic);
    await writeAt(image, offset + EXT4.dataAt, contentOf(4711, EXT4.dataBytes));
    disk.contexts = [];
    disk.foreign = { offset, digest: digestOf(await bytesAt(image, offset, EXT4.dataAt + EXT4.dataBytes)) };
  }

  /** Law 1: a volume that held data and looks like none is left as it is. */
  async #stageDamaged({ volume, node }: EventOf<'damaged stage'>): Promise<void> {
    const disk = this.model.disks.get(volume);
    const view = this.model.view(volume, node);
    if (disk?.attachedTo !== node || !disk.hasFileSystem || view.staged !== 'no') return;
    if (disk.contexts.at(-1)?.['contentState'] !== 'ntfs') return;
    const image = this.world.volumeImage(volume);
    const offset = (await volumeOffset(image)) ?? 0;
    const bootSector = await bytesAt(image, offset, 512);
    await writeAt(image, offset, Buffer.alloc(512));
    try {
      await this.#mustRefuse({ do: 'stage', volume, node, context: 'newest' });
    } finally {
      await writeAt(image, offset, bootSector);
    }
  }

  /** Law 4: what is in the way is not removed, and nothing is mounted over it. */
  async #obstruct({ volume, node, place }: EventOf<'obstructed'>): Promise<void> {
    const view = this.model.view(volume, node);
    const path =
      place === 'staging' ? this.world.stagingPath(node, volume) : this.world.targetPath(node, volume, place);
    if (view.staged === 'maybe' || (place === 'staging' ? view.staged !== 'no' : view.targets.has(place)))
      return;
    await mkdir(path, { recursive: true });
    await writeFile(join(path, 'in-the-way'), 'somebody needs this');
    if (place === 'staging') {
      const call: Call = { do: 'stage', volume, node, context: 'newest' };
      if (this.model.expected(call) === 'ok') await this.#mustRefuse(call);
      await this.must({ do: 'unstage', volume, node });
    } else {
      const call: Call = { do: 'publish', volume, node, pod: place, mode: 'SINGLE_NODE_MULTI_WRITER' };
      if (this.model.expected(call) === 'ok') await this.#mustRefuse(call);
      await this.#mustRefuse({ do: 'unpublish', volume, node, pod: place });
    }
    expect(await filesBelow(path)).toEqual(
      new Map([['in-the-way', digestOf(Buffer.from('somebody needs this'))]]),
    );
    await rm(join(path, 'in-the-way'));
    if (place !== 'staging') await this.must({ do: 'unpublish', volume, node, pod: place });
  }

  /** Laws 2 and 4: a path of one volume is not touched in the name of another. */
  async #mistake({ volume, other, node, place }: EventOf<'mistaken'>): Promise<void> {
    const view = this.model.view(volume, node);
    if (volume === other || view.staged !== 'yes' || view.journal !== 'sound') return;
    const volume_id = volumeIdFor(other);
    const staging_target_path = this.world.stagingPath(node, volume);
    if (place === 'staging') {
      await this.#mustRefuseRequest(node, 'NodeUnstageVolume', { volume_id, staging_target_path });
      const publish_context = this.model.disks.get(other)?.contexts.at(-1);
      if (publish_context === undefined || this.model.disks.get(other)?.attachedTo !== node) return;
      const volume_capability = { mount: {}, access_mode: { mode: 'SINGLE_NODE_WRITER' } };
      const fields = { volume_id, staging_target_path, publish_context, volume_capability };
      await this.#mustRefuseRequest(node, 'NodeStageVolume', fields);
    } else if (view.targets.get(place)?.sure === true) {
      const target_path = this.world.targetPath(node, volume, place);
      await this.#mustRefuseRequest(node, 'NodeUnpublishVolume', { volume_id, target_path });
      expect(await whatIsAt(target_path)).toBe('link');
    }
  }

  async #mustRefuse(call: Call): Promise<void> {
    const { process, method, fields } = requestOf(call, this.world, this.model);
    await this.#mustRefuseRequest(process as NodeName, method, fields);
  }

  async #mustRefuseRequest(node: NodeName, method: string, fields: object): Promise<void> {
    const { code, message } = await this.world.call(node, method, fields);
    if (code === 'FAILED_PRECONDITION') return;
    throw new Error(
      `${method} ${JSON.stringify(fields)} should be refused, was answered ${code}: ${message}`,
    );
  }
}

type EventOf<Kind> = Extract<Event, { readonly do: Kind }>;

/** Enough of a foreign file system to be known for one, and some data. */
const EXT4 = {
  magicAt: 1024 + 56,
  magic: Uint8Array.of(0x53, 0xef),
  dataAt: 65_536,
  dataBytes: 4096,
} as const;

function requireExpected(expected: Expected, { code }: Reply, context: string): void {
  const isExpected =
    expected === 'ok'
      ? code === 'OK'
      : expected === 'any'
        ? !ALARMING.includes(code)
        : expected.includes(code);
  if (!isExpected) throw new Error(context);
}

/** Disk and file system differ by partition tables and the reserved partition. */
const OVERHEAD_BYTES = 18n * 1024n * 1024n;

function expectSoundStats(reply: Reply | undefined, grownTo: bigint): void {
  const { usage, volume_condition } = reply?.answer as {
    usage: { total: string; used: string }[];
    volume_condition: { abnormal: boolean };
  };
  if (grownTo === 0n) return;
  expect(volume_condition.abnormal).toBe(false);
  expect(BigInt(usage[0]?.total ?? '0') + OVERHEAD_BYTES).toBeGreaterThanOrEqual(grownTo);
}

/** Calls that cannot see each other, so that their answers do not depend on which comes first. */
function areIndependent(one: Call, other: Call): boolean {
  const names = (call: Call): readonly string[] => [
    ...('volume' in call ? [`volume ${call.volume}`] : []),
    ...('snapshot' in call ? [`snapshot ${call.snapshot}`] : []),
    ...('from' in call ? [call.from] : []),
  ];
  if (!names(one).some((name) => names(other).includes(name))) return true;
  const quiet = (call: Call): boolean => call.do === 'expand';
  return (
    (quiet(one) && isNodeCall(other) && other.do !== 'grow') ||
    (quiet(other) && isNodeCall(one) && one.do !== 'grow')
  );
}

async function removeStartingWith(folder: string, start: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(start)) await rm(join(folder, name));
  }
}
