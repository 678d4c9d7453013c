import { StorageError, throwIfAborted } from '../../core/errors.ts';
import type { DiskNumber } from '../../core/ids.ts';
import { attempt } from '../../core/platform-errors.ts';
import type {
  HostIscsi,
  HostSystem,
  IscsiAuthentication,
  IscsiPortal,
} from '../../core/ports/host-storage.ts';
import { Turns } from '../../util/turns.ts';
import { ISCSI_SERVICE } from '../local-system.ts';
import { requireLogin, requireSecretLength } from './iscsi-login.ts';
import type { IscsiRecords, IscsiSession } from './iscsi-records.ts';
import { isSamePortal, normalPortal, portalText } from './iscsi-targets.ts';
import type { IscsiTarget, IscsiTargets } from './iscsi-targets.ts';
import type { MachineRoom } from './machine.ts';
import { hashSecret } from './secret-hash.ts';
import { volumesOn } from './simulated-volume.ts';

export interface SimulatedIscsiDeps {
  readonly room: MachineRoom;
  readonly system: HostSystem;
  readonly records: IscsiRecords;
  readonly targets: IscsiTargets;
}

/** One initiator for the whole machine. */
const TURN = 'initiator';

/** The iSCSI initiator of the simulated machine. A session plugs in the disk of its target, as the attach folder does. */
export class SimulatedIscsi implements HostIscsi {
  readonly #deps: SimulatedIscsiDeps;
  readonly #turns = new Turns();

  constructor(deps: SimulatedIscsiDeps) {
    this.#deps = deps;
  }

  async addTargetPortal(asked: IscsiPortal, signal: AbortSignal): Promise<void> {
    const portal = normalPortal(asked);
    const doing = `add the iSCSI portal ${portalText(portal)}`;
    await this.#inTurn(doing, signal, async () => {
      const { records, targets } = this.#deps;
      const known = await records.portals();
      if (known.some((one) => isSamePortal(one, portal))) return;
      if ((await targets.at(portal)).length === 0) {
        throw new StorageError('unavailable', `cannot ${doing}: nobody answers there`);
      }
      await records.setPortals([...known, portal]);
    });
  }

  async discoverTargetPortal(asked: IscsiPortal, signal: AbortSignal): Promise<readonly string[]> {
    const portal = normalPortal(asked);
    return this.#inTurn(`discover the targets of ${portalText(portal)}`, signal, async () => {
      await this.#requireKnown(portal);
      return (await this.#deps.targets.at(portal)).map(({ iqn }) => iqn);
    });
  }

  async removeTargetPortal(asked: IscsiPortal, signal: AbortSignal): Promise<void> {
    const portal = normalPortal(asked);
    await this.#inTurn(`remove the iSCSI portal ${portalText(portal)}`, signal, async () => {
      const known = await this.#requireKnown(portal);
      await this.#deps.records.setPortals(known.filter((one) => !isSamePortal(one, portal)));
    });
  }

  async listTargetPortals(signal: AbortSignal): Promise<readonly IscsiPortal[]> {
    return this.#inTurn('list the iSCSI portals', signal, () => this.#deps.records.portals());
  }

  /** A target that is logged in to stays so, whatever the credentials. */
  async connectTarget(
    asked: IscsiPortal,
    iqn: string,
    authentication: IscsiAuthentication,
    signal: AbortSignal,
  ): Promise<void> {
    const portal = normalPortal(asked);
    await this.#inTurn(`log in to the iSCSI target ${iqn}`, signal, async () => {
      const target = await this.#target(portal, iqn);
      if ((await this.#session(iqn)) !== undefined) return;
      const { records } = this.#deps;
      requireLogin(target, authentication, await records.ownSecret());
      await records.addSession({ iqn: target.iqn, portal, disk: target.disk });
    });
  }

  /** Refused while a volume of the target's disk is mounted, as Windows does. */
  async disconnectTarget(asked: IscsiPortal, iqn: string, signal: AbortSignal): Promise<void> {
    const portal = normalPortal(asked);
    await this.#inTurn(`log out of the iSCSI target ${iqn}`, signal, async () => {
      const session = await this.#sessionOrTarget(portal, iqn);
      if (session === undefined) return;
      const number = await this.#numberOf(session);
      if (number !== undefined) await this.#requireUnused(number, iqn);
      await this.#deps.records.removeSession(session.iqn);
    });
  }

  async getTargetDisks(asked: IscsiPortal, iqn: string, signal: AbortSignal): Promise<readonly DiskNumber[]> {
    const portal = normalPortal(asked);
    return this.#inTurn(`list the disks of the iSCSI target ${iqn}`, signal, async () => {
      const session = await this.#sessionOrTarget(portal, iqn);
      const number = session === undefined ? undefined : await this.#numberOf(session);
      return number === undefined ? [] : [number];
    });
  }

  async setMutualChapSecret(secret: string, signal: AbortSignal): Promise<void> {
    requireSecretLength(secret, 'the mutual CHAP secret');
    await this.#inTurn('set the mutual CHAP secret', signal, () =>
      this.#deps.records.setOwnSecret(hashSecret(secret)),
    );
  }

  async #inTurn<Result>(doing: string, signal: AbortSignal, steps: () => Promise<Result>): Promise<Result> {
    return this.#turns.take(TURN, async () => {
      throwIfAborted(signal, doing);
      const { status } = await this.#deps.system.getService(ISCSI_SERVICE, signal);
      if (status !== 'running') {
        throw new StorageError(
          'failed-precondition',
          `cannot ${doing}: the service ${ISCSI_SERVICE} is ${status}; start it first`,
        );
      }
      return attempt(doing, steps);
    });
  }

  async #requireKnown(portal: IscsiPortal): Promise<readonly IscsiPortal[]> {
    const known = await this.#deps.records.portals();
    if (known.some((one) => isSamePortal(one, portal))) return known;
    throw new StorageError(
      'not-found',
      `this host does not know the iSCSI portal ${portalText(portal)}: add it first`,
    );
  }

  async #target(portal: IscsiPortal, iqn: string): Promise<IscsiTarget> {
    await this.#requireKnown(portal);
    const target = await this.#deps.targets.find(portal, iqn);
    if (target !== undefined) return target;
    throw new StorageError(
      'not-found',
      `the iSCSI portal ${portalText(portal)} has no target ${JSON.stringify(iqn)}`,
    );
  }

  async #session(iqn: string): Promise<IscsiSession | undefined> {
    const wanted = iqn.toLowerCase();
    return (await this.#deps.records.sessions()).find((session) => session.iqn.toLowerCase() === wanted);
  }

  /** A session outlives its target's definition; without one there must be a target at least. */
  async #sessionOrTarget(portal: IscsiPortal, iqn: string): Promise<IscsiSession | undefined> {
    const session = await this.#session(iqn);
    if (session === undefined) await this.#target(portal, iqn);
    return session;
  }

  async #numberOf({ disk }: IscsiSession): Promise<DiskNumber | undefined> {
    return (await this.#deps.room.enter()).disks.numberOf(disk);
  }

  async #requireUnused(number: DiskNumber, iqn: string): Promise<void> {
    await this.#deps.room.withDisk(number, async (disk, { mounts }) => {
      for (const { guid, id } of await volumesOn(disk)) {
        if (!(await mounts.isMounted(guid))) continue;
        throw new StorageError(
          'failed-precondition',
          `cannot log out of the iSCSI target ${iqn}: the volume ${id} of its disk ${number} is mounted; unmount it first`,
        );
      }
    });
  }
}
