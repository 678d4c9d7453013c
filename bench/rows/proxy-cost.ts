import { type Machine, startMachine } from '../machine.ts';
import { medianOf, milliseconds, timed } from '../measure.ts';
import type { Row } from '../table.ts';
import { Volume } from '../volume.ts';
import type { Workshop } from '../workshop.ts';

const WARM_UP_VOLUMES = 2;
const VOLUMES = 30;
const MEBIBYTES = 256;

export const PROXY_COST = 'stage + publish through the proxy over the bare Linux host';

/** Milliseconds of NodeStageVolume and NodePublishVolume at the client. */
interface Rounds {
  readonly blank: number[];
  readonly formatted: number[];
}

/** The same volumes' lives, in turns on a node with the Linux host in its process and on one behind a CSI Proxy. */
export async function proxyCostRows(workshop: Workshop): Promise<readonly Row[]> {
  const bare = await startMachine(workshop, 'bare', { host: 'linux' });
  const proxied = await startMachine(workshop, 'proxied', { host: 'linux', throughProxy: true });
  const onBare: Rounds = { blank: [], formatted: [] };
  const onProxied: Rounds = { blank: [], formatted: [] };
  for (let index = -WARM_UP_VOLUMES; index < VOLUMES; index++) {
    await live(bare, `bare-${index}`, index < 0 ? undefined : onBare);
    await live(proxied, `proxied-${index}`, index < 0 ? undefined : onProxied);
  }
  await proxied.stop();
  await bare.stop();
  return [
    ratioRow('blank disk', onProxied.blank, onBare.blank),
    ratioRow('formatted disk', onProxied.formatted, onBare.formatted),
  ];
}

async function live(machine: Machine, name: string, rounds: Rounds | undefined): Promise<void> {
  const volume = new Volume(machine, name);
  await volume.create(MEBIBYTES);
  const blank = await attachedRound(volume);
  const formatted = await attachedRound(volume);
  await volume.delete();
  rounds?.blank.push(blank);
  rounds?.formatted.push(formatted);
}

async function attachedRound(volume: Volume): Promise<number> {
  await volume.attach();
  const spent = (await timed(() => volume.stage())) + (await timed(() => volume.publish()));
  await volume.unpublish();
  await volume.unstage();
  await volume.detach();
  return spent;
}

function ratioRow(disks: string, proxied: readonly number[], bare: readonly number[]): Row {
  // Of neighbours in time: what else goes on in the machine changes more than the proxy costs.
  const ratio = medianOf(proxied.map((spent, index) => spent / (bare[index] ?? Number.NaN)));
  return {
    what: `${PROXY_COST}, ${disks}`,
    measured: `${ratio.toFixed(2)} × (medians: ${milliseconds(medianOf(proxied))} over ${milliseconds(medianOf(bare))})`,
    aim: '',
    verdict: 'none',
  };
}
