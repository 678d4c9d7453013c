import { type Pipe, pipeName } from '../../src/proxyapi/api-versions.ts';
import {
  type PipeConnection,
  type PipeFault,
  type PipeTransport,
  PipeUnusable,
} from '../../src/proxyclient/pipe-transport.ts';

/** A transport whose pipes are there or not as a test says. No call is ever answered. */
export class FakePipes implements PipeTransport {
  readonly name = 'fake';
  /** Every attempt to connect, as `disk-v1`. */
  readonly tried: string[] = [];
  readonly #faults = new Map<string, PipeFault>();
  readonly #open = new Set<PipeConnection>();
  #present: ReadonlySet<string> = new Set();

  /** The server is another one from now on: nothing of the old one lives. */
  replace(pipes: readonly Pipe[]): void {
    for (const connection of this.#open) connection.close();
    this.#present = new Set(pipes.map(pipeName));
  }

  /** More pipes of the same server. */
  add(...pipes: readonly Pipe[]): void {
    this.#present = new Set([...this.#present, ...pipes.map(pipeName)]);
  }

  break(pipe: Pipe, fault: PipeFault | undefined): void {
    if (fault === undefined) this.#faults.delete(pipeName(pipe));
    else this.#faults.set(pipeName(pipe), fault);
  }

  get openConnections(): number {
    return this.#open.size;
  }

  address(pipe: Pipe): string {
    return `fake:${pipeName(pipe)}`;
  }

  async connect(pipe: Pipe): Promise<PipeConnection> {
    this.tried.push(pipeName(pipe).replace('csi-proxy-', ''));
    await Promise.resolve();
    const fault = this.#faults.get(pipeName(pipe));
    if (fault !== undefined) throw new PipeUnusable(fault, `it is ${fault}`);
    if (!this.#present.has(pipeName(pipe))) throw new PipeUnusable('absent', 'nobody listens there');
    return this.#connection();
  }

  #connection(): PipeConnection {
    let tellClosed: () => void = () => undefined;
    const open = this.#open;
    const connection: PipeConnection = {
      unary: () => Promise.reject(new Error('no call is answered')),
      closed: new Promise((resolve) => (tellClosed = resolve)),
      close: () => {
        open.delete(connection);
        tellClosed();
      },
    };
    open.add(connection);
    return connection;
  }
}
