import type { Run } from '../../src/hosts/linux/command.ts';
import { runCommand } from '../../src/hosts/linux/command.ts';

/** Where a process is killed: right before it starts its Nth tool, or right after that tool has ended. */
export interface CrashPoint {
  readonly tool: number;
  readonly when: 'before' | 'after';
}

/** Runs tools like a process that is killed at a point: from then on it does nothing more. */
export class CrashingRun {
  readonly #point: CrashPoint;
  #armed = false;
  #started = 0;

  constructor(point: CrashPoint) {
    this.#point = point;
  }

  /** Counts from here. */
  arm(): void {
    this.#armed = true;
  }

  get crashed(): boolean {
    const { tool, when } = this.#point;
    return when === 'before' ? this.#started >= tool : this.#started > tool;
  }

  readonly run: Run = async (doing, command, args) => {
    if (!this.#armed) return runCommand(doing, command, args);
    this.#started += 1;
    const { tool, when } = this.#point;
    if (this.#started > tool || (this.#started === tool && when === 'before')) throw new Error('killed');
    const output = await runCommand(doing, command, args);
    if (this.#started === tool) {
      this.#started += 1;
      throw new Error('killed');
    }
    return output;
  };
}
