import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import {
  Client,
  credentials,
  Metadata,
  type ServiceDefinition,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { isErrno } from '../../src/util/record-file.ts';

/** A message as it is on the wire: the field names of its own version. */
export type Fields = Readonly<Record<string, unknown>>;

export type Group = 'disk' | 'volume' | 'filesystem' | 'smb' | 'system' | 'iscsi';

/** Whatever can call a server's rpcs. */
export interface Caller {
  call(group: Group, version: string, rpc: string, request?: Fields): Promise<Fields>;
}

/** A call that the server answered with something else than OK. */
export class WireError extends Error {
  override readonly name = 'WireError';
  /** gRPC status code. CSI Proxy has one for everything: 2, UNKNOWN. */
  readonly code: number;
  readonly details: string;

  constructor(rpc: string, { code, details }: Pick<ServiceError, 'code' | 'details'>) {
    super(`${rpc}: ${status[code]}: ${details}`);
    this.code = code;
    this.details = details;
  }
}

/** Where the pipes of a server are: sockets in a folder, or Windows' named pipes with a common beginning. */
export type PipePlace = { readonly dir: string } | { readonly prefix: string };

const CALL_SECONDS = 180;
const READY_SECONDS = 10;
const SERVICES: Readonly<Record<Group, string>> = {
  disk: 'Disk',
  volume: 'Volume',
  filesystem: 'Filesystem',
  smb: 'Smb',
  system: 'System',
  iscsi: 'Iscsi',
};

interface Connection {
  readonly client: Client;
  readonly service: ServiceDefinition;
}

/**
 * A server of the CSI Proxy API, spoken to in raw messages. It knows nothing of the driver's own client and codecs:
 * the suite is a witness only as long as it shares no code with them.
 */
export class Wire implements Caller {
  readonly #place: PipePlace;
  readonly #connections = new Map<string, Connection>();

  constructor(place: PipePlace) {
    this.#place = place;
  }

  /** Whether the server offers a version of a group at all. */
  offers(group: Group, version: string): boolean {
    const path = this.#pathOf(group, version);
    return 'dir' in this.#place ? existsSync(path) : opens(path);
  }

  /** Calls an rpc; rejects with a WireError when the answer is not OK. */
  async call(group: Group, version: string, rpc: string, request: Fields = {}): Promise<Fields> {
    const { client, service } = this.#connection(group, version);
    const method = service[rpc];
    if (method === undefined) throw new Error(`${group} ${version} has no rpc ${rpc}`);
    const deadline = Date.now() + CALL_SECONDS * 1000;
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        new Metadata(),
        { deadline },
        (error, response) => {
          if (error === null) resolve(response as Fields);
          else reject(new WireError(`${group} ${version} ${rpc}`, error));
        },
      );
    });
  }

  /** Waits for a connection; rejects when there is none. */
  ready(group: Group, version: string): Promise<void> {
    const { client } = this.#connection(group, version);
    return new Promise((resolve, reject) => {
      client.waitForReady(Date.now() + READY_SECONDS * 1000, (error) => {
        if (error === undefined) resolve();
        else reject(error);
      });
    });
  }

  close(): void {
    for (const { client } of this.#connections.values()) client.close();
    this.#connections.clear();
  }

  #pathOf(group: Group, version: string): string {
    return 'dir' in this.#place
      ? join(this.#place.dir, `csi-proxy-${group}-${version}.sock`)
      : `${this.#place.prefix}${group}-${version}`;
  }

  #connection(group: Group, version: string): Connection {
    const key = `${group} ${version}`;
    const known = this.#connections.get(key);
    if (known !== undefined) return known;
    const opened = {
      client: new Client(target(this.#pathOf(group, version)), credentials.createInsecure(), {
        'grpc.default_authority': 'localhost',
        'grpc.initial_reconnect_backoff_ms': 100,
        'grpc.max_reconnect_backoff_ms': 1000,
      }),
      service: serviceOf(group, version),
    };
    this.#connections.set(key, opened);
    return opened;
  }
}

/** Whether a named pipe is there. To look at one is to connect to it: Windows has no other sure way. */
function opens(path: string): boolean {
  try {
    closeSync(openSync(path, 'r+'));
    return true;
  } catch (error) {
    return isErrno(error, 'EBUSY'); // There, with every instance taken.
  }
}

/** `unix:/run/x.sock`; for `\\.\pipe\x` it is `unix:////./pipe/x`, which grpc-js hands to the system as `//./pipe/x`. */
const target = (path: string): string =>
  path.startsWith('\\\\') ? `unix://${path.replaceAll('\\', '/')}` : `unix:${path}`;

/** Each version is loaded by itself: the packages of all groups are named only by their version. */
function serviceOf(group: Group, version: string): ServiceDefinition {
  const loaded = loadSync(`proto/csi-proxy/${group}/${version}.proto`, {
    keepCase: true,
    longs: String,
    enums: String,
    defaults: true,
  });
  const service = loaded[`${version}.${SERVICES[group]}`];
  if (service === undefined || 'format' in service) throw new Error(`${group} ${version} has no service`);
  return service;
}
