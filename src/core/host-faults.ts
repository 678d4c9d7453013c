import { sleep } from '../util/sleep.ts';
import { StorageError } from './errors.ts';
import { withDiskFaults } from './host-disk-faults.ts';
import type { DiskFault } from './host-disk-faults.ts';
import { aroundHostCalls } from './host-calls.ts';
import type { AroundHostCall, HostCall } from './host-calls.ts';
import type { HostStorage } from './ports/host-storage.ts';

/** Which calls a fault hits: all that match what is given; `nth` counts from 1 among those. */
interface FaultyCall {
  readonly group?: HostCall['group'];
  readonly method?: string;
  readonly nth?: number;
}

export type HostFault =
  /** The disk is there, but cannot be taken online. */
  | { readonly kind: 'offline-disk'; readonly serialNumber: string }
  /** The disk is not there, nor are its volumes. Serial numbers are as the host reports them. */
  | { readonly kind: 'missing-disk'; readonly serialNumber: string }
  /** The call takes this long before it begins. */
  | ({ readonly kind: 'slow'; readonly milliseconds: number } & FaultyCall)
  /** The call fails before it begins. */
  | ({ readonly kind: 'fail'; readonly error?: Error } & FaultyCall)
  /** The call begins only when `until` settles, whatever its signal says: a host command that does not return. */
  | ({ readonly kind: 'hang'; readonly until: Promise<unknown> } & FaultyCall)
  /** The process dies when call number `afterCall` (from 1; 0: before the first) has done its work. */
  | { readonly kind: 'crash'; readonly afterCall: number };

/** What a call gets when the process is to be thought dead. Nothing has run after the call it died at. */
export class SimulatedCrash extends Error {
  override readonly name = 'SimulatedCrash';
  constructor(call: HostCall) {
    super(`the process died at host call ${call.group} ${call.method}`);
  }
}

/** The faults in force. They may be added and cleared while the host is in use. */
export class HostFaults {
  #faults: HostFault[];
  readonly #hits = new Map<HostFault, number>();
  #calls = 0;
  #crashed = false;

  constructor(faults: readonly HostFault[] = []) {
    this.#faults = [...faults];
  }

  /** The process is to be thought dead: start a new one over the same state. */
  get crashed(): boolean {
    return this.#crashed;
  }

  /** Calls that were let through since the beginning: the `afterCall` of the last one. */
  get calls(): number {
    return this.#calls;
  }

  get brokenDisks(): ReadonlyMap<string, DiskFault> {
    const disks = new Map<string, DiskFault>();
    for (const fault of this.#faults) {
      if (fault.kind === 'offline-disk' || fault.kind === 'missing-disk') {
        disks.set(fault.serialNumber, fault.kind);
      }
    }
    return disks;
  }

  add(...faults: readonly HostFault[]): void {
    this.#faults.push(...faults);
  }

  clear(): void {
    this.#faults = [];
    this.#hits.clear();
  }

  /** The fault layer itself, for use with `aroundHostCalls`. */
  readonly around: AroundHostCall = async (call, run) => {
    this.#crashWhenDue(call);
    for (const fault of this.#hitting(call)) await bring(fault, call);
    this.#crashWhenDue(call);
    this.#calls += 1;
    try {
      return await run();
    } finally {
      this.#crashWhenDue(call);
    }
  };

  /** Throws also out of a `finally`: the dead do not learn how their last call ended. */
  #crashWhenDue(call: HostCall): void {
    const due = this.#faults.some((fault) => fault.kind === 'crash' && this.#calls >= fault.afterCall);
    this.#crashed ||= due;
    if (this.#crashed) throw new SimulatedCrash(call);
  }

  #hitting(call: HostCall): HostFault[] {
    return this.#faults.filter((fault) => {
      if (!isAimedAt(fault, call)) return false;
      const hits = (this.#hits.get(fault) ?? 0) + 1;
      this.#hits.set(fault, hits);
      return fault.nth === undefined || fault.nth === hits;
    });
  }
}

/** The same host with faults in it; works over any HostStorage. */
export function withFaults(host: HostStorage, faults: HostFaults): HostStorage {
  return aroundHostCalls(
    withDiskFaults(host, () => faults.brokenDisks),
    faults.around,
  );
}

function isAimedAt(fault: HostFault, call: HostCall): fault is HostFault & FaultyCall {
  if (fault.kind !== 'slow' && fault.kind !== 'fail' && fault.kind !== 'hang') return false;
  return (
    (fault.group === undefined || fault.group === call.group) &&
    (fault.method === undefined || fault.method === call.method)
  );
}

async function bring(fault: HostFault, call: HostCall): Promise<void> {
  if (fault.kind === 'slow') await sleep(fault.milliseconds, new AbortController().signal);
  if (fault.kind === 'hang') await fault.until;
  if (fault.kind === 'fail') {
    throw fault.error ?? new StorageError('internal', `${call.group} ${call.method} failed: injected fault`);
  }
}
