import { createServer, type Server, type ServerResponse } from 'node:http';
import { messageOf, StorageError } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { HostReadiness } from '../core/ports/host-storage.ts';
import { listening } from '../util/listening.ts';

export interface HttpDeps {
  readonly metrics: { readonly contentType: string; text(): Promise<string> };
  /** What `/readyz` answers. */
  readonly readiness: (signal: AbortSignal) => Promise<HostReadiness>;
  readonly log: Logger;
}

export interface HttpServer {
  /** `http://127.0.0.1:8080`, with the port the system chose. */
  readonly url: string;
  stop(): Promise<void>;
}

/** An answer later than this is no answer to a kubelet. */
const READINESS_MS = 5000;

/**
 * Serves `/metrics` (Prometheus), `/healthz` (200 while the process lives) and `/readyz` (503 with the reason and what
 * to do about it) on `host:port`, or `:port` for every address. Throws `invalid-argument` or `failed-precondition`.
 */
export async function startHttp(address: string, deps: HttpDeps): Promise<HttpServer> {
  const { host, port } = parseAddress(address);
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*$/s, '');
    if (request.method === 'GET' || request.method === 'HEAD') void answer(path, response, deps);
    else send(response, 405, 'only GET is served here\n');
  });
  await listening(server, () => {
    server.listen({ port, ...(host === undefined ? {} : { host }) });
  }).catch((error: unknown) => {
    const text = `cannot serve metrics and health on ${address}: ${messageOf(error)}; choose another --http-endpoint`;
    throw new StorageError('failed-precondition', text, { cause: error });
  });
  server.on('error', (err) => {
    deps.log.warn({ err }, 'cannot accept an HTTP connection');
  });
  const url = urlOf(server);
  deps.log.info({ url }, 'serving metrics and health');
  return { url, stop: () => close(server) };
}

async function answer(path: string, response: ServerResponse, deps: HttpDeps): Promise<void> {
  try {
    if (path === '/metrics') send(response, 200, await deps.metrics.text(), deps.metrics.contentType);
    else if (path === '/healthz') send(response, 200, 'alive\n');
    else if (path === '/readyz') await sendReadiness(response, deps);
    else send(response, 404, 'try /metrics, /healthz or /readyz\n');
  } catch (error) {
    deps.log.error({ err: error, path }, 'cannot answer an HTTP request');
    send(response, 500, 'the driver could not answer; its log says why\n');
  }
}

async function sendReadiness(response: ServerResponse, deps: HttpDeps): Promise<void> {
  const found = await deps.readiness(AbortSignal.timeout(READINESS_MS));
  if (found.ready) send(response, 200, 'ready\n');
  else send(response, 503, `not ready: ${found.reason}\nwhat to do: ${found.mend}\n`);
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}

function parseAddress(address: string): { host: string | undefined; port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(address) ?? [];
  if (digits === undefined || Number(digits) > 65535) {
    const text = `cannot serve metrics and health on "${address}": give host:port, as in 127.0.0.1:8080 or :8080`;
    throw new StorageError('invalid-argument', text);
  }
  const host = bracketed ?? plain ?? '';
  return { host: host === '' ? undefined : host, port: Number(digits) };
}

function urlOf(server: Server): string {
  const address = server.address();
  if (typeof address !== 'object' || address === null) return '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
