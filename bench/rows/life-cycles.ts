import { randomBytes } from 'node:crypto';
import { startMachine } from '../machine.ts';
import { inParallel, medianOf, milliseconds, timed } from '../measure.ts';
import type { Row } from '../table.ts';
import { Volume } from '../volume.ts';
import type { Workshop } from '../workshop.ts';

const MEBIBYTES = 256;
const DATA = randomBytes(1024 ** 2);
const CYCLES = { 1: 25, 4: 60 } as const;

export const LIFE_CYCLES = 'whole life cycles on loop disks';

/** From nothing to a volume with data in it and back to nothing, as often as it goes. */
export async function lifeCycleRows(workshop: Workshop): Promise<readonly Row[]> {
  const machine = await startMachine(workshop, 'life', { host: 'linux' });
  const rows: Row[] = [];
  for (const concurrency of [1, 4] as const) {
    const count = CYCLES[concurrency];
    const samples: number[] = [];
    const all = await timed(() =>
      inParallel(concurrency, count, async (index) => {
        const volume = new Volume(machine, `life-${concurrency}-${index}`);
        samples.push(await timed(() => live(volume)));
      }),
    );
    rows.push({
      what: `${LIFE_CYCLES}, ${concurrency} at a time`,
      measured: `${((count / all) * 1000).toFixed(2)} per second (median ${milliseconds(medianOf(samples))})`,
      aim: '',
      verdict: 'none',
    });
  }
  await machine.stop();
  return rows;
}

async function live(volume: Volume): Promise<void> {
  await volume.create(MEBIBYTES);
  await volume.attach();
  await volume.stage();
  await volume.publish();
  await volume.write(DATA);
  await volume.unpublish();
  await volume.unstage();
  await volume.detach();
  await volume.delete();
}
