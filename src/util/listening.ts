import type { Server } from 'node:net';

/** Resolves when a server that `start` tells to listen does so; rejects with the reason why it cannot. */
export async function listening(server: Server, start: () => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    start();
  });
}
