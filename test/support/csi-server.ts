import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CsiService } from '../../src/rpc/call.ts';
import { loadCsiApi } from '../../src/rpc/csi-api.ts';
import { connectCsi, type CsiClient } from '../../src/rpc/csi-client.ts';
import { CsiServer, type CsiServerOptions } from '../../src/rpc/csi-server.ts';
import { KeyedLock } from '../../src/util/keyed-lock.ts';
import { RecordingLogger } from './recording-logger.ts';

export const csiApi = loadCsiApi();

/** A real server on a real unix socket in a folder of its own, with a client connected to it. */
export interface ServedCsi {
  readonly server: CsiServer;
  readonly client: CsiClient;
  readonly log: RecordingLogger;
  readonly lock: KeyedLock;
  readonly folder: string;
  readonly endpoint: string;
  /** `[service, method, code]` of every call that has ended. */
  readonly calls: readonly (readonly [string, string, string])[];
}

/** Runs a test with a served CSI; stops it and removes its folder however the test ends. */
export async function withCsiServer(
  services: readonly CsiService[],
  test: (served: ServedCsi) => Promise<void>,
  options: CsiServerOptions = {},
): Promise<void> {
  await withFolder(async (folder) => {
    const log = new RecordingLogger();
    const lock = new KeyedLock();
    const calls: [string, string, string][] = [];
    const observer = {
      started: () => undefined,
      finished: (...[service, method, code]: [string, string, string, number]) => {
        calls.push([service, method, code]);
      },
    };
    const server = new CsiServer({ services, log, observer, lock, api: csiApi }, options);
    const endpoint = await server.listen(`unix://${join(folder, 'csi.sock')}`);
    const client = connectCsi(endpoint, { timeoutSeconds: 10, api: csiApi });
    try {
      await test({ server, client, log, lock, folder, endpoint, calls });
    } finally {
      client.close();
      await server.stop(0);
    }
  });
}

/** Runs a test with a new folder; removes it however the test ends. */
export async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'csi-rpc-'));
  try {
    await test(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
