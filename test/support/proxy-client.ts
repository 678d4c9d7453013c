import type { NegotiationObserver } from '../../src/proxyapi/call-observer.ts';
import { grpcPipeTransport } from '../../src/proxyclient/grpc-pipe-transport.ts';
import {
  type ProxyHostDeps,
  type ProxyHostOptions,
  proxyHostStorage,
  type ProxyHostStorage,
} from '../../src/proxyclient/proxy-host-storage.ts';
import { RecordingLogger } from './recording-logger.ts';
import { inTempFolder } from './temp-folder.ts';

/** Keeps what it is told: calls as `disk v1 ListDiskIDs OK`, versions as `disk v1` and `disk -`. */
export class RecordingNegotiations implements NegotiationObserver {
  readonly calls: string[] = [];
  readonly versions: string[] = [];

  called({ group, version, rpc, code }: Parameters<NegotiationObserver['called']>[0]): void {
    this.calls.push(`${group} ${version} ${rpc} ${code}`);
  }

  negotiated(group: string, version: string | undefined): void {
    this.versions.push(`${group} ${version ?? '-'}`);
  }
}

export const PROXY_OPTIONS: ProxyHostOptions = {
  concurrency: 3,
  fileTimeoutSeconds: 10,
  readTimeoutSeconds: 60,
  storageTimeoutSeconds: 180,
  kubeletPath: '/var/lib/kubelet',
  localStat: false,
  maxVolumes: 25,
};

export interface ProxyClientWorld {
  readonly host: ProxyHostStorage;
  readonly pipeDir: string;
  readonly log: RecordingLogger;
  readonly observer: RecordingNegotiations;
}

/** The real client over real sockets in a folder that nobody serves yet. */
export async function withProxyClient<Result>(
  options: Partial<ProxyHostOptions & { readonly handshakeTimeoutSeconds: number }> & {
    readonly deps?: Partial<ProxyHostDeps>;
  },
  work: (world: ProxyClientWorld) => Promise<Result>,
): Promise<Result> {
  const { deps, handshakeTimeoutSeconds = 3, ...others } = options;
  return inTempFolder(async (pipeDir) => {
    const log = new RecordingLogger();
    const observer = new RecordingNegotiations();
    const transport = grpcPipeTransport({ pipeDir, handshakeTimeoutSeconds });
    const host = proxyHostStorage({ log, observer, transport, ...deps }, { ...PROXY_OPTIONS, ...others });
    try {
      return await work({ host, pipeDir, log, observer });
    } finally {
      host.close();
    }
  });
}
