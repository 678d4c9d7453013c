import { aroundHostCalls } from '../../src/core/host-calls.ts';
import type { HostStorage } from '../../src/core/ports/host-storage.ts';

/** What was called on a host, in order, by method name: for the call budget tests. */
export class HostCallLog {
  readonly #methods: string[] = [];

  get methods(): readonly string[] {
    return this.#methods;
  }

  get total(): number {
    return this.#methods.length;
  }

  count(method: string): number {
    return this.#methods.filter((name) => name === method).length;
  }

  add(method: string): void {
    this.#methods.push(method);
  }

  clear(): void {
    this.#methods.length = 0;
  }

  /** The methods called while `work` runs. */
  async during(work: () => Promise<unknown>): Promise<readonly string[]> {
    const before = this.#methods.length;
    await work();
    return this.#methods.slice(before);
  }
}

/** The same host, and the log of the calls of its three groups. */
export function countingHost(host: HostStorage): { readonly host: HostStorage; readonly calls: HostCallLog } {
  const calls = new HostCallLog();
  const counted = aroundHostCalls(host, (call, run) => {
    calls.add(call.method);
    return run();
  });
  return { host: counted, calls };
}
