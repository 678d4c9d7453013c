import { mkdir, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/**
 * Between a client and the sockets of a server: it passes everything on, until it is told to cut. Then the connection
 * on which the given byte of the server's answers comes ends right before that byte.
 */
export class Relay {
  readonly #from: string;
  readonly #to: string;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  #bytesLeft = Infinity;
  /** How often it has cut. */
  cuts = 0;

  private constructor(from: string, to: string) {
    this.#from = from;
    this.#to = to;
  }

  /** Relays every socket that is in `to` now; the client's ends are in `from`. */
  static async open(from: string, to: string): Promise<Relay> {
    const relay = new Relay(from, to);
    await mkdir(from, { recursive: true });
    for (const name of await readdir(to)) await relay.#listen(name);
    return relay;
  }

  /** Cuts once, after so many more bytes from the server. */
  cutAfter(bytes: number): void {
    this.#bytesLeft = bytes;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
    await rm(this.#from, { recursive: true, force: true });
  }

  #listen(name: string): Promise<void> {
    const server = createServer((client) => {
      this.#relay(client, connect(join(this.#to, name)));
    });
    this.#servers.push(server);
    return new Promise((resolve) => {
      server.listen(join(this.#from, name), resolve);
    });
  }

  #relay(client: Socket, server: Socket): void {
    const ends = [client, server];
    const end = (): void => {
      for (const socket of ends) {
        socket.destroy();
        this.#sockets.delete(socket);
      }
    };
    for (const socket of ends) {
      this.#sockets.add(socket);
      socket.once('close', end);
      socket.once('error', end);
    }
    client.on('data', (chunk: Buffer) => server.write(chunk));
    server.on('data', (chunk: Buffer) => {
      if (chunk.length <= this.#bytesLeft) {
        this.#bytesLeft -= chunk.length;
        client.write(chunk);
        return;
      }
      const rest = chunk.subarray(0, this.#bytesLeft);
      this.#bytesLeft = Infinity;
      this.cuts += 1;
      client.write(rest, end);
    });
  }
}
