import { describe, expect, it } from '@jest/globals';
import type { HostReadiness } from '../../../src/core/ports/host-storage.ts';
import { type HttpDeps, startHttp } from '../../../src/telemetry/http.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';

const metrics = createMetrics({ version: '1', commit: 'c', mode: 'node', host: 'linux' });
const ready: HostReadiness = { ready: true };

async function withHttp(
  changes: Partial<HttpDeps>,
  test: (url: string, log: RecordingLogger) => Promise<void>,
): Promise<void> {
  const log = new RecordingLogger();
  const http = await startHttp('127.0.0.1:0', {
    metrics,
    readiness: () => Promise.resolve(ready),
    log,
    ...changes,
  });
  try {
    await test(http.url, log);
  } finally {
    await http.stop();
  }
}

async function get(url: string, init?: RequestInit): Promise<[number, string]> {
  const answer = await fetch(url, init);
  return [answer.status, await answer.text()];
}

describe('startHttp', () => {
  it('serves metrics as Prometheus reads them', async () => {
    await withHttp({}, async (url) => {
      const answer = await fetch(`${url}/metrics?name[]=x`);
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      await expect(answer.text()).resolves.toContain('csi_ntfs_build_info{');
    });
  });

  it('is alive, and ready when the host is', async () => {
    await withHttp({}, async (url) => {
      await expect(get(`${url}/healthz`)).resolves.toEqual([200, 'alive\n']);
      await expect(get(`${url}/readyz`)).resolves.toEqual([200, 'ready\n']);
    });
  });

  it('law 10: is alive but not ready while the host is absent, with the reason and what to do', async () => {
    const absent: HostReadiness = { ready: false, reason: 'no pipe', mend: 'start csi-proxy' };
    await withHttp({ readiness: () => Promise.resolve(absent) }, async (url) => {
      await expect(get(`${url}/healthz`)).resolves.toEqual([200, 'alive\n']);
      await expect(get(`${url}/readyz`)).resolves.toEqual([
        503,
        'not ready: no pipe\nwhat to do: start csi-proxy\n',
      ]);
    });
  });

  it('answers 500 without details when readiness cannot be told, and logs why', async () => {
    await withHttp({ readiness: () => Promise.reject(new Error('boom')) }, async (url, log) => {
      const [status, text] = await get(`${url}/readyz`);
      expect(status).toBe(500);
      expect(text).not.toContain('boom');
      expect(log.lines.at(-1)).toMatchObject({ level: 'error', fields: { err: new Error('boom') } });
    });
  });

  it('knows nothing else', async () => {
    await withHttp({}, async (url) => {
      expect((await get(`${url}/`))[0]).toBe(404);
      expect((await get(`${url}/metrics`, { method: 'POST' }))[0]).toBe(405);
    });
  });

  it.each(['', '127.0.0.1', '127.0.0.1:http', '127.0.0.1:65536', '::1:80'])(
    'refuses "%s"',
    async (address) => {
      const log = new RecordingLogger();
      const start = startHttp(address, { metrics, readiness: () => Promise.resolve(ready), log });
      await expect(start).rejects.toMatchObject({ code: 'invalid-argument' });
    },
  );

  it('says that a port is taken', async () => {
    await withHttp({}, async (url, log) => {
      const start = startHttp(url.replace('http://', ''), {
        metrics,
        readiness: () => Promise.resolve(ready),
        log,
      });
      await expect(start).rejects.toThrow(/EADDRINUSE.*choose another --http-endpoint/);
    });
  });

  it('stops although a client keeps its connection, and the port is free again', async () => {
    let seen = '';
    await withHttp({}, async (url) => {
      await get(`${url}/healthz`);
      seen = url;
    });
    await expect(fetch(seen)).rejects.toThrow();
    const log = new RecordingLogger();
    const again = await startHttp(':0', { metrics, readiness: () => Promise.resolve(ready), log });
    expect(again.url).toMatch(/^http:\/\/.*:\d+$/);
    await again.stop();
  });
});
