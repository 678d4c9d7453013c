import { describe, expect, it } from '@jest/globals';
import { Reporter } from '../../../../src/app/demo/reporter.ts';

/** Runs steps that make so many calls each, and gives what is printed. */
async function reported(
  steps: readonly (readonly [title: string, calls: number, operation?: 'NodePublish' | 'NodeUnpublish'])[],
): Promise<{ readonly lines: readonly string[]; readonly isWithin: boolean }> {
  let calls = 0;
  let text = '';
  const report = new Reporter({ write: (line: string) => (text += line) }, () => Promise.resolve(calls));
  for (const [title, made, operation] of steps) {
    const action = (): Promise<string> => {
      calls += made;
      return Promise.resolve('done');
    };
    await report.step(title, action, operation);
  }
  const isWithin = report.budgets();
  return { lines: text.split('\n'), isWithin };
}

describe('Reporter', () => {
  it('shows the calls of each operation against its budget, the most where there were several', async () => {
    const { lines, isWithin } = await reported([
      ['CreateVolume', 0],
      ['publish', 1, 'NodePublish'],
      ['publish another', 2, 'NodePublish'],
      ['unpublish', 1, 'NodeUnpublish'],
    ]);
    expect(isWithin).toBe(true);
    expect(lines).toContainEqual(expect.stringMatching(/^✔ publish another +\d+ ms +2 of 2 calls {2}done$/));
    expect(lines).toContainEqual(expect.stringMatching(/^✔ CreateVolume +\d+ ms +done$/));
    expect(lines).toContainEqual(expect.stringMatching(/^✔ NodePublish +2 of 2 \(the most of 2\)$/));
    expect(lines).toContainEqual(expect.stringMatching(/^✔ NodeUnpublish +1 of 1$/));
    expect(lines.join('\n')).not.toContain('NodeExpand');
  });

  it('goes on when a budget is exceeded, shows where, and fails at the end', async () => {
    const { lines, isWithin } = await reported([
      ['publish', 3, 'NodePublish'],
      ['unpublish', 1, 'NodeUnpublish'],
    ]);
    expect(isWithin).toBe(false);
    expect(lines).toContainEqual(expect.stringMatching(/^✘ publish +\d+ ms +3 of 2 calls/));
    expect(lines).toContainEqual(expect.stringMatching(/^✘ NodePublish +3 of 2$/));
    expect(lines).toContainEqual(expect.stringMatching(/^✔ NodeUnpublish/));
  });
});
