import { type Machine, startMachine } from '../machine.ts';
import { milliseconds, sumOf, timed } from '../measure.ts';
import type { MetricSamples } from '../../src/telemetry/metric-samples.ts';
import { type Row, verdictOf } from '../table.ts';
import { Volume } from '../volume.ts';
import type { Workshop } from '../workshop.ts';

const AIM = 1.05;
const WARM_UP_VOLUMES = 3;
const VOLUMES = 40;
const MEBIBYTES = 256;

export const OVERHEAD = 'stage + publish over its host calls';

/** Seconds of one NodeStageVolume and one NodePublishVolume, as three clocks saw them. */
interface Seconds {
  readonly client: number;
  readonly server: number;
  readonly host: number;
}

/** What the driver adds to the host calls it makes, on real disks: blank ones, and the same ones formatted. */
export async function overheadRows(workshop: Workshop): Promise<readonly Row[]> {
  const machine = await startMachine(workshop, 'overhead', { host: 'linux' });
  const blank: Seconds[] = [];
  const formatted: Seconds[] = [];
  for (let index = -WARM_UP_VOLUMES; index < VOLUMES; index++) {
    const volume = new Volume(machine, `overhead-${index}`);
    await volume.create(MEBIBYTES);
    const first = await attachedRound(machine, volume);
    const second = await attachedRound(machine, volume);
    await volume.delete();
    if (index < 0) continue;
    blank.push(first);
    formatted.push(second);
  }
  await machine.stop();
  return [
    overheadRow('blank disk', blank),
    overheadRow('formatted disk', formatted),
    overheadRow('both', [...blank, ...formatted]),
  ];
}

async function attachedRound(machine: Machine, volume: Volume): Promise<Seconds> {
  await volume.attach();
  const before = clocks(await machine.metrics());
  const client = (await timed(() => volume.stage())) + (await timed(() => volume.publish()));
  const after = clocks(await machine.metrics());
  await volume.unpublish();
  await volume.unstage();
  await volume.detach();
  return { client: client / 1000, server: after.server - before.server, host: after.host - before.host };
}

function clocks(samples: MetricSamples): { readonly server: number; readonly host: number } {
  const rpc = (method: string): number => samples.sum('csi_ntfs_rpc_seconds_sum', { method });
  return {
    server: rpc('NodeStageVolume') + rpc('NodePublishVolume'),
    host: samples.sum('csi_ntfs_host_call_seconds_sum'),
  };
}

function overheadRow(disks: string, rounds: readonly Seconds[]): Row {
  const host = sumOf(rounds.map((round) => round.host));
  const server = sumOf(rounds.map((round) => round.server)) / host;
  const client = sumOf(rounds.map((round) => round.client)) / host;
  const each = milliseconds((host / rounds.length) * 1000);
  return {
    what: `${OVERHEAD}, ${disks}`,
    measured: `${server.toFixed(3)} × in the server, ${client.toFixed(3)} × at the client (host calls ${each})`,
    aim: `≤ ${AIM} ×`,
    verdict: verdictOf(server <= AIM),
  };
}
