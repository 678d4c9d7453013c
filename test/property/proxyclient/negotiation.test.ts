import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StorageError } from '../../../src/core/errors.ts';
import { API_GROUPS, API_VERSIONS, type ApiGroup, type Pipe } from '../../../src/proxyapi/api-versions.ts';
import { proxyHostStorage, type ProxyHostStorage } from '../../../src/proxyclient/proxy-host-storage.ts';
import { FakePipes } from '../../support/fake-pipes.ts';
import { PROXY_OPTIONS, RecordingNegotiations } from '../../support/proxy-client.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';

const signal = new AbortController().signal;

function clientOf(transport: FakePipes, clock = { now: 0 }): ProxyHostStorage {
  const deps = { log: new RecordingLogger(), transport, observer: new RecordingNegotiations() };
  return proxyHostStorage({ ...deps, now: () => clock.now }, PROXY_OPTIONS);
}

/** Any question of a group: the fake answers none, but a version is agreed on first. */
const askAnything: Record<ApiGroup, (host: ProxyHostStorage) => Promise<unknown>> = {
  disk: (host) => host.disks.rescan(signal),
  volume: (host) => host.volumes.getVolumeStats('' as never, signal),
  filesystem: (host) => host.files.pathExists('/x', signal),
  smb: (host) => host.smb.removeSmbGlobalMapping('', signal),
  iscsi: (host) => host.iscsi.listTargetPortals(signal),
  system: (host) => host.system.getBiosSerialNumber(signal),
};

function subsetsOf<Item>(items: readonly Item[]): Item[][] {
  return items.reduce<Item[][]>((sets, item) => [...sets, ...sets.map((set) => [...set, item])], [[]]);
}

const groupSubsets = API_GROUPS.flatMap((group) =>
  subsetsOf<string>(API_VERSIONS[group]).map((versions) => ({ group, versions })),
);

describe('any subset of the pipes of a group', () => {
  it.each(groupSubsets)('$group $versions: the newest is chosen', async ({ group, versions }) => {
    const pipes = new FakePipes();
    pipes.replace(versions.map((version) => ({ group, version }) as Pipe));
    const host = clientOf(pipes);
    const failure: unknown = await askAnything[group](host).catch((error: unknown) => error);
    expect(host.negotiated().get(group)).toBe(versions[0]);
    expect(failure).toBeInstanceOf(Error);
    expect(StorageError.is(failure, 'unavailable')).toBe(versions.length === 0);
    host.close();
    expect(pipes.openConnections).toBe(0);
  });
});

const anyServer = fc.tuple(
  ...API_GROUPS.map((group) =>
    fc.subarray<string>([...API_VERSIONS[group]]).map((versions) => ({ group, versions })),
  ),
);

describe('servers that come and go', () => {
  it('law 10: after every change the newest version that is there is agreed on; ready when disk, volume and filesystem have one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyServer, { minLength: 1, maxLength: 6 }), async (servers) => {
        const pipes = new FakePipes();
        const clock = { now: 0 };
        const host = clientOf(pipes, clock);
        for (const server of servers) {
          pipes.replace(
            server.flatMap(({ group, versions }) => versions.map((version) => ({ group, version }) as Pipe)),
          );
          await new Promise((go) => setImmediate(go));
          clock.now += 10_000;
          const readiness = await host.readiness(signal);
          const needed = server.filter(({ group }) => ['disk', 'volume', 'filesystem'].includes(group));
          expect(readiness.ready).toBe(needed.every(({ versions }) => versions.length > 0));
          for (const { group, versions } of needed) expect(host.negotiated().get(group)).toBe(versions[0]);
        }
        host.close();
        expect(pipes.openConnections).toBe(0);
      }),
    );
  });
});
