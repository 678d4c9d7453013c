import { it } from '@jest/globals';
import fc from 'fast-check';
import { inTempFolder } from '../../support/temp-folder.ts';
import { Play } from './play.ts';
import { sequences } from './steps.ts';
import { expectConvergence } from './teardown.ts';

/** About a minute. More find more: DRIVER_RUNS=2000 is an evening well spent. */
const RUNS = Number(process.env['DRIVER_RUNS'] ?? 80);
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
      { numRuns: RUNS, interruptAfterTimeLimit: MOST_MS, markInterruptAsFailure: true },
    );
  },
  MOST_MS + 60_000,
);
