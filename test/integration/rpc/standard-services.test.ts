import { Client, credentials, Metadata, type MethodDefinition } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer, loadSync, type PackageDefinition } from '@grpc/proto-loader';
import { describe, expect, it } from '@jest/globals';
import { protoPath, service as healthService } from 'grpc-health-check';
import type { CsiService } from '../../../src/rpc/call.ts';
import { clientTarget, parseEndpoint } from '../../../src/rpc/endpoint.ts';
import { type ServedCsi, withCsiServer } from '../../support/csi-server.ts';

const services: readonly CsiService[] = [
  { name: 'Identity', methods: { Probe: () => Promise.resolve({}) }, lockKeys: {} },
  { name: 'Node', methods: {}, lockKeys: {} },
];

/** A plain gRPC client on the same endpoint. */
async function withClient(test: (client: Client, served: ServedCsi) => Promise<void>): Promise<void> {
  await withCsiServer(services, async (served) => {
    const client = new Client(clientTarget(parseEndpoint(served.endpoint)), credentials.createInsecure());
    try {
      await test(client, served);
    } finally {
      client.close();
    }
  });
}

interface Health {
  readonly status: string;
}

const healthRpc = (name: 'Check' | 'Watch') => {
  const rpc = healthService[name];
  if (rpc === undefined) throw new Error(`health has no ${name}`);
  return rpc;
};

function check(client: Client, service: string): Promise<string> {
  const { path, requestSerialize, responseDeserialize } = healthRpc('Check');
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize as (bytes: Buffer) => Health,
      { service },
      new Metadata(),
      (error, answer) => {
        if (error === null) resolve(answer?.status ?? '');
        else reject(error);
      },
    );
  });
}

describe('gRPC health', () => {
  it.each(['', 'csi.v1.Identity', 'csi.v1.Node'])('"%s" serves', async (service) => {
    await withClient(async (client) => {
      await expect(check(client, service)).resolves.toBe('SERVING');
    });
  });

  it('does not know what is not served', async () => {
    await withClient(async (client) => {
      await expect(check(client, 'csi.v1.Controller')).rejects.toThrow('NOT_FOUND');
    });
  });

  it('turns to NOT_SERVING for who watches when the server drains, and no watcher holds up its end', async () => {
    await withClient(async (client, { server }) => {
      const { path, requestSerialize, responseDeserialize } = healthRpc('Watch');
      const decode = responseDeserialize as (bytes: Buffer) => Health;
      const watch = client.makeServerStreamRequest(
        path,
        requestSerialize,
        decode,
        { service: '' },
        new Metadata(),
      );
      const seen: string[] = [];
      const ended = new Promise<void>((resolve) => {
        watch.on('data', ({ status }: Health) => seen.push(status));
        watch.on('error', () => {
          resolve();
        });
      });
      await expect(check(client, '')).resolves.toBe('SERVING');
      await server.drain(1);
      await expect(check(client, '')).resolves.toBe('NOT_SERVING');
      await server.stop(1);
      await ended;
      expect(seen).toEqual(['SERVING', 'NOT_SERVING']);
    });
  });
});

interface Reflected {
  readonly listServicesResponse?: { readonly service: readonly { readonly name: string }[] };
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly Uint8Array[] };
}

const reflectionProto = (version: string): string =>
  protoPath.replace(
    /grpc-health-check.*/,
    `@grpc/reflection/build/proto/grpc/reflection/${version}/reflection.proto`,
  );

type Rpc = MethodDefinition<unknown, unknown>;

function rpcOf(definition: PackageDefinition, service: string, name: string): Rpc {
  const rpc = (definition[service] as unknown as Record<string, Rpc> | undefined)?.[name];
  if (rpc === undefined) throw new Error(`${service} has no ${name}`);
  return rpc;
}

/** Files as a FileDescriptorSet: field 1, each behind its length as a varint. */
function descriptorSet(files: readonly Uint8Array[]): Buffer {
  const parts = files.flatMap((file) => {
    const length: number[] = [];
    for (let rest = file.length; ; rest >>>= 7) {
      length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
      if (rest <= 0x7f) break;
    }
    return [Buffer.from([0x0a, ...length]), Buffer.from(file)];
  });
  return Buffer.concat(parts);
}

function reflect(client: Client, version: string, question: object): Promise<Reflected> {
  const definition = loadSync(reflectionProto(version), {
    longs: String,
    enums: String,
    defaults: false,
    oneofs: true,
  });
  const rpc = rpcOf(definition, `grpc.reflection.${version}.ServerReflection`, 'ServerReflectionInfo');
  const decode = rpc.responseDeserialize as (bytes: Buffer) => Reflected;
  const stream = client.makeBidiStreamRequest(rpc.path, rpc.requestSerialize, decode, new Metadata());
  return new Promise((resolve, reject) => {
    stream.on('data', resolve);
    stream.on('error', reject);
    stream.write(question);
    stream.end();
  });
}

describe('gRPC reflection', () => {
  it.each(['v1', 'v1alpha'])('%s lists the CSI services that are served', async (version) => {
    await withClient(async (client) => {
      const { listServicesResponse } = await reflect(client, version, { listServices: '*' });
      expect(listServicesResponse?.service.map(({ name }) => name)).toEqual([
        'csi.v1.Identity',
        'csi.v1.Node',
      ]);
    });
  });

  it('describes them so completely that a client can be made of it', async () => {
    await withClient(async (client) => {
      const { fileDescriptorResponse } = await reflect(client, 'v1', { fileContainingSymbol: 'csi.v1.Node' });
      const files = fileDescriptorResponse?.fileDescriptorProto ?? [];
      expect(files.length).toBeGreaterThan(0);
      const definition = loadFileDescriptorSetFromBuffer(descriptorSet(files), { keepCase: true });
      const { requestSerialize, requestDeserialize } = rpcOf(definition, 'csi.v1.Node', 'NodeStageVolume');
      const request = { volume_id: 'vol-1', staging_target_path: '/stage' };
      expect(requestDeserialize(requestSerialize(request))).toMatchObject(request);
    });
  });
});
