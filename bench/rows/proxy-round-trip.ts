import { mkdir } from 'node:fs/promises';
import type { NegotiationObserver } from '../../src/proxyapi/call-observer.ts';
import { grpcPipeTransport } from '../../src/proxyclient/grpc-pipe-transport.ts';
import { type ProxyHostStorage, proxyHostStorage } from '../../src/proxyclient/proxy-host-storage.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { milliseconds, spreadOf, timed } from '../measure.ts';
import type { Row } from '../table.ts';
import type { Workshop } from '../workshop.ts';

const WARM_UP_CALLS = 1000;
const CALLS = 3000;

/** One call of the node to its CSI Proxy, beside the cheapest CSI call there is: what a socket and gRPC cost anyway. */
export async function proxyRoundTripRows(workshop: Workshop): Promise<readonly Row[]> {
  const home = await workshop.makeFolder('round-trip');
  const kubelet = `${home}/kubelet`;
  await mkdir(kubelet);
  const kubeletPath = `C:${kubelet.replaceAll('/', '\\')}`;
  const flags = { 'attach-dir': `${home}/attach`, 'node-id': 'bench', host: 'simulated' };
  const proxy = await workshop.startProxy(home, {
    ...flags,
    'state-dir': `${home}/proxy`,
    'kubelet-path': kubeletPath,
  });
  const node = await workshop.start('node', home, { ...flags, 'state-dir': `${home}/node` });
  const host = connect(proxy.pipeDir, kubeletPath);
  const { signal } = new AbortController();
  const throughProxy: number[] = [];
  const throughCsi: number[] = [];
  try {
    for (let round = -WARM_UP_CALLS; round < CALLS; round++) {
      const oneProxy = await timed(() => host.files.pathExists(kubelet, signal));
      const oneCsi = await timed(() => node.node.nodeGetCapabilities({}));
      if (round < 0) continue;
      throughProxy.push(oneProxy);
      throughCsi.push(oneCsi);
    }
  } finally {
    host.close();
  }
  await node.stop();
  await proxy.stop();
  const [proxied, csi] = [spreadOf(throughProxy), spreadOf(throughCsi)];
  const ratio = `${(proxied.p50 / csi.p50).toFixed(2)} × of NodeGetCapabilities (${milliseconds(csi.p50)})`;
  return [
    {
      what: 'CSI Proxy round trip over a unix socket, PathExists',
      measured: `p50 ${milliseconds(proxied.p50)}, p99 ${milliseconds(proxied.p99)}, ${ratio}`,
      aim: '',
      verdict: 'none',
    },
  ];
}

const NOBODY: NegotiationObserver = { called: () => undefined, negotiated: () => undefined };

function connect(pipeDir: string, kubeletPath: string): ProxyHostStorage {
  return proxyHostStorage(
    {
      log: createLogger({ level: 'silent', format: 'json' }),
      transport: grpcPipeTransport({ pipeDir, handshakeTimeoutSeconds: 3 }),
      observer: NOBODY,
    },
    {
      concurrency: 3,
      fileTimeoutSeconds: 10,
      readTimeoutSeconds: 60,
      storageTimeoutSeconds: 180,
      kubeletPath,
      localStat: true,
      maxVolumes: 256,
    },
  );
}
