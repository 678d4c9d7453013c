import { afterEach, describe, expect, it } from '@jest/globals';
import { hostVolumeIdOf } from '../../../src/core/ids.ts';
import { heldAnswer, servePipes } from '../../support/pipe-server.ts';
import { withProxyClient } from '../../support/proxy-client.ts';

const signal = new AbortController().signal;
const VOLUME = hostVolumeIdOf('6c1f3c4e-0000-4000-8000-000000000001');

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const serve: typeof servePipes = async (...args) => {
  const server = await servePipes(...args);
  ends.push(server.kill);
  return server;
};

/** False while the promise is pending, looked at after everything that can happen has happened. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const pause = new Promise((go) => setTimeout(go, 50, 'pending'));
  return (await Promise.race([promise.then(String, String), pause])) !== 'pending';
}

describe('a change that has begun', () => {
  it('law 6: outlives its connection being given up by another call', async () => {
    await withProxyClient({}, async ({ host, pipeDir, observer }) => {
      const held = heldAnswer();
      await serve(pipeDir, [{ group: 'volume', version: 'v1' }], { FormatVolume: held.answer });
      const format = host.volumes.formatVolume(VOLUME, signal);
      await held.asked;
      await expect(host.volumes.isVolumeFormatted(VOLUME, signal)).rejects.toMatchObject({
        code: 'unimplemented',
      });
      expect(await isSettled(format)).toBe(false);
      held.finish();
      await format;
      expect(observer.calls.at(-1)).toBe('volume v1 FormatVolume OK');
    });
  });

  it('law 6: outlives the change to a newer version', async () => {
    let time = 0;
    await withProxyClient({ deps: { now: () => time } }, async ({ host, pipeDir, observer }) => {
      const held = heldAnswer();
      await serve(pipeDir, [{ group: 'volume', version: 'v1beta3' }], {
        FormatVolume: held.answer,
        IsVolumeFormatted: () => ({ formatted: true }),
      });
      const format = host.volumes.formatVolume(VOLUME, signal);
      await held.asked;
      await serve(pipeDir, [{ group: 'volume', version: 'v1' }], {
        IsVolumeFormatted: () => ({ formatted: true }),
      });
      time = 5000;
      while (observer.versions.at(-1) !== 'volume v1') await host.volumes.isVolumeFormatted(VOLUME, signal);
      expect(await isSettled(format)).toBe(false);
      held.finish();
      await format;
      expect(observer.calls.at(-1)).toBe('volume v1beta3 FormatVolume OK');
    });
  });

  it('law 6: outlives the end of the client', async () => {
    await withProxyClient({}, async ({ host, pipeDir }) => {
      const held = heldAnswer();
      await serve(pipeDir, [{ group: 'volume', version: 'v1' }], { FormatVolume: held.answer });
      const format = host.volumes.formatVolume(VOLUME, signal);
      await held.asked;
      host.close();
      expect(await isSettled(format)).toBe(false);
      held.finish();
      await format;
    });
  });
});
