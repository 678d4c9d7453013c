import { describe, expect, it } from '@jest/globals';
import { FreshAnswers } from '../../../src/proxyclient/fresh-answers.ts';

const signal = new AbortController().signal;
const tick = (): Promise<void> => new Promise((go) => setImmediate(go));

interface Run {
  readonly signal: AbortSignal;
  readonly answer: (value: number) => void;
  readonly fail: (error: Error) => void;
}

function world(): { runs: Run[]; answers: FreshAnswers<number> } {
  const runs: Run[] = [];
  const answers = new FreshAnswers<number>('ListDiskIDs', (ends) => {
    return new Promise((answer, fail) => {
      runs.push({ signal: ends, answer, fail });
      ends.addEventListener('abort', () => {
        fail(new Error('aborted'));
      });
    });
  });
  return { runs, answers };
}

describe('fresh answers', () => {
  it('law 2: an answer whose making began before the question is not used', async () => {
    const { runs, answers } = world();
    const early = answers.get(signal);
    await tick();
    const late = [answers.get(signal), answers.get(signal)];
    await tick();
    expect(runs).toHaveLength(1);
    runs[0]?.answer(1);
    await tick();
    expect(runs).toHaveLength(2);
    runs[1]?.answer(2);
    expect(await early).toBe(1);
    expect(await Promise.all(late)).toEqual([2, 2]);
  });

  it('a failure is that of those who shared the run, not of the next', async () => {
    const { runs, answers } = world();
    const early = answers.get(signal);
    await tick();
    const late = answers.get(signal);
    runs[0]?.fail(new Error('no'));
    await expect(early).rejects.toThrow('no');
    await tick();
    runs[1]?.answer(2);
    expect(await late).toBe(2);
  });

  it('a caller who goes is cancelled, the others get their answer', async () => {
    const { runs, answers } = world();
    const caller = new AbortController();
    const gone = answers.get(caller.signal);
    const stays = answers.get(signal);
    await tick();
    caller.abort();
    await expect(gone).rejects.toMatchObject({ code: 'cancelled' });
    expect(runs[0]?.signal.aborted).toBe(false);
    runs[0]?.answer(1);
    expect(await stays).toBe(1);
  });

  it('a run that nobody waits for is cancelled, and nobody joins it', async () => {
    const { runs, answers } = world();
    const running = new AbortController();
    const waiting = new AbortController();
    const first = answers.get(running.signal);
    await tick();
    const second = answers.get(waiting.signal);
    waiting.abort();
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    const third = answers.get(signal);
    running.abort();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    expect(runs[0]?.signal.aborted).toBe(true);
    await tick();
    runs.at(-1)?.answer(3);
    expect(await third).toBe(3);
  });
});
