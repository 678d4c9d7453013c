import { afterEach, beforeEach, describe, jest } from '@jest/globals';
import { describeDisks } from './host-storage/disks.ts';
import { describeFiles } from './host-storage/files.ts';
import { describeLinkSafety } from './host-storage/link-safety.ts';
import { describeLifeCycle } from './host-storage/life-cycle.ts';
import { describeMounts } from './host-storage/mounts.ts';
import { describeIscsi } from './host-storage/iscsi.ts';
import { describeSmb } from './host-storage/smb.ts';
import { describeSystem } from './host-storage/system.ts';
import { describeVolumes } from './host-storage/volumes.ts';
import { Bench } from './host-storage/bench.ts';
import type { HostUnderTest } from './host-storage/bench.ts';

/**
 * What every HostStorage promises, whatever it is made of: the port's documentation, and the behaviour that
 * drivers of Windows nodes rely on in CSI Proxy. Failures are expected as such, never by code or text (law 5); only
 * what a host says it lacks must be refused as `unimplemented`, so that nothing is left out silently.
 * `factory` is called anew for each test; its `cleanup` runs also when the test failed.
 */
export function describeHostStorage(name: string, factory: () => Promise<HostUnderTest>): void {
  describe(`HostStorage: ${name}`, () => {
    jest.setTimeout(60_000);
    let bench: Bench;

    beforeEach(async () => {
      bench = new Bench(await factory());
    });

    afterEach(async () => {
      await bench.cleanup();
    });

    const current = (): Bench => bench;
    describeDisks(current);
    describeVolumes(current);
    describeMounts(current);
    describeFiles(current);
    describeLinkSafety(current);
    describeLifeCycle(current);
    describeSystem(current);
    describeSmb(current);
    describeIscsi(current);
  });
}
