import { randomBytes } from 'node:crypto';
import {
  type handleUnaryCall,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { StorageError } from '../core/errors.ts';
import type { HostStorage } from '../core/ports/host-storage.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { ApiGroup, Pipe } from '../proxyapi/api-versions.ts';
import type { ProxyCallObserver } from '../proxyapi/call-observer.ts';
import { codecOf } from '../proxyapi/codec-of.ts';
import { failureFields } from '../rpc/failure-fields.ts';
import type { RunningCalls } from '../rpc/running-calls.ts';
import type { Era } from './era-host.ts';
import { failureText } from './failure-text.ts';
import { withoutSecretsOf } from './secrets.ts';

export interface PipeCallDeps {
  /** Takes Windows' paths. */
  readonly host: HostStorage;
  readonly log: Logger;
  readonly observer: ProxyCallObserver;
  readonly running: RunningCalls;
  /** Looks at a request before it is decoded; throws a StorageError when it is refused. */
  readonly admit: (pipe: Pipe, rpc: string, request: object) => void;
  readonly era: Era;
  /** Aborts when the server is stopped. A client that goes away aborts nothing, as with the original. */
  readonly stop: AbortSignal;
}

/** The codec of any method, once nothing is known of its types any more. */
interface AnyCodec {
  readonly rpc: string;
  decodeRequest(request: object): readonly unknown[];
  encodeResponse(result: unknown): object;
}
type AnyMethod = (...args: readonly unknown[]) => Promise<unknown>;

/** Every rpc of a pipe, over the port of its group. Throws when the service has an rpc that no codec is for. */
export function pipeCalls(
  pipe: Pipe,
  service: ServiceDefinition,
  deps: PipeCallDeps,
): UntypedServiceImplementation {
  const codecs = Object.entries(codecOf(pipe.group, pipe.version)) as [string, AnyCodec][];
  const port = portOf(deps.host, pipe.group);
  const calls = Object.fromEntries(
    codecs.map(([method, codec]) => {
      const run: AnyMethod = (...args) => (port[method] as AnyMethod).apply(port, [...args]);
      return [codec.rpc, answering(pipe, codec, run, deps)];
    }),
  );
  const missing = Object.keys(service).filter((rpc) => !Object.hasOwn(calls, rpc));
  if (missing.length > 0)
    throw new Error(`${pipe.group} ${pipe.version} has no codec for ${missing.join(', ')}`);
  return calls;
}

function portOf(host: HostStorage, group: ApiGroup): Readonly<Record<string, unknown>> {
  const { disks, volumes, files, smb, iscsi, system } = host;
  const ports = { disk: disks, volume: volumes, filesystem: files, smb, iscsi, system };
  return ports[group] as unknown as Readonly<Record<string, unknown>>;
}

/** Runs to its end, whoever still waits for it; a failure of any kind is an answer to this call alone. */
function answering(
  pipe: Pipe,
  codec: AnyCodec,
  run: AnyMethod,
  deps: PipeCallDeps,
): handleUnaryCall<object, object> {
  const perform = async (request: object): Promise<object> => {
    deps.admit(pipe, codec.rpc, request);
    return codec.encodeResponse(await run(...codec.decodeRequest(request), deps.stop));
  };
  return ({ request }, callback) => {
    const since = new Date();
    const begin = performance.now();
    const end = deps.running.begin({
      method: `${pipe.group} ${pipe.version} ${codec.rpc}`,
      callId: randomBytes(4).toString('hex'),
      keys: [],
      since,
    });
    const finish = (code: 'OK' | 'UNKNOWN'): void => {
      end();
      const seconds = (performance.now() - begin) / 1000;
      deps.observer.called({ ...pipe, rpc: codec.rpc, code, seconds });
    };
    perform(request).then(
      (response) => {
        finish('OK');
        callback(null, response);
      },
      (error: unknown) => {
        finish('UNKNOWN');
        const scrub = withoutSecretsOf(request);
        logFailure(error, pipe, codec.rpc, scrub, deps.log);
        const details = failureText(error, { group: pipe.group, rpc: codec.rpc, era: deps.era }, scrub);
        callback({ code: status.UNKNOWN, details });
      },
    );
  };
}

/** Questions whose answer is often a failure: is there a volume at this path, is this missing path a link. */
const QUESTION = /^(Get|List|Is|PathExists)/;

function logFailure(
  error: unknown,
  { group, version }: Pipe,
  rpc: string,
  scrub: (text: string) => string,
  log: Logger,
): void {
  const fields = { group, version, rpc, ...failureFields(error, scrub) };
  if (!(error instanceof StorageError)) log.error(fields, `${rpc} ended in a way that was not foreseen`);
  else if (QUESTION.test(rpc)) log.debug(fields, `${rpc} failed`);
  else log.warn(fields, `${rpc} failed`);
}
