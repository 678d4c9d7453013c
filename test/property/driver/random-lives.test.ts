import { it } from '@jest/globals';
import fc from 'fast-check';
import { inTempFolder } from '../../support/temp-folder.ts';
import { Play } from './play.ts';
import { sequences } from './steps.ts';
import { expectConvergence } from './teardown.ts';

/** Less than a minute, and the same lives each time: the gate tells whether a change broke something. */
const RUNS = Number(process.env['DRIVER_RUNS'] ?? 40);
/** More and other lives find more: DRIVER_SEED=$RANDOM DRIVER_RUNS=2000 is an evening well spent. */
const SEED = Number(process.env['DRIVER_SEED'] ?? 1);
/** Also for making a counterexample small. */
const MOST_MS = Math.max(RUNS, 80) * 4000;

it(
  'laws 1, 2, 3, 4, 6, 8 and 12: after any sequence of calls, crashes and accidents all data is intact and the state converges',
  async () => {
    await fc.assert(
      fc.asyncProperty(sequences, (steps) =>
        inTempFolder(async (root) => {
          const play = await Play.begin(root);
          try {
            for (const step of steps) await play.take(step);
            await expectConvergence(play);
          } finally {
            await play.world.close();
          }
        }),
      ),
      { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: MOST_MS, markInterruptAsFailure: true },
    );
  },
  MOST_MS + 60_000,
);
