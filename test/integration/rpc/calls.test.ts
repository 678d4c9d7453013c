import { type ServiceError, status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
import { csiDescriptor } from '../../../src/gen/csi-descriptor.ts';
import type { AnyHandler, CallContext, CsiService } from '../../../src/rpc/call.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import { connectCsi } from '../../../src/rpc/csi-client.ts';
import { withCsiServer } from '../../support/csi-server.ts';

interface Namespace {
  readonly nested: Record<string, { readonly fields: object }>;
}

const keyOf = ({ volume_id: id }: { readonly volume_id: string }): readonly string[] => [`controller/${id}`];

const controller = (methods: Record<string, AnyHandler>): CsiService => ({
  name: 'Controller',
  methods,
  lockKeys: { DeleteVolume: keyOf, ControllerGetVolume: keyOf },
});

/** A DeleteVolume that ends when it is told to, whatever its signal says: as a host command that has begun. */
function heldDelete(): {
  service: CsiService;
  begun: Promise<CallContext>;
  finish: (error?: Error) => void;
} {
  let finish: (error?: Error) => void = () => undefined;
  let begin: (context: CallContext) => void = () => undefined;
  const begun = new Promise<CallContext>((resolve) => (begin = resolve));
  const service = controller({
    DeleteVolume: (_request, context) =>
      new Promise((resolve, reject) => {
        finish = (error) => {
          if (error === undefined) resolve({});
          else reject(error);
        };
        begin(context);
      }),
    ControllerGetVolume: () => Promise.resolve({}),
  });
  return {
    service,
    begun,
    finish: (error) => {
      finish(error);
    },
  };
}

async function failure(call: Promise<unknown>): Promise<ServiceError> {
  const answer = await call.catch((error: unknown) => error);
  expect(answer).toBeInstanceOf(Error);
  return answer as ServiceError;
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !condition(); tries += 1) await new Promise((go) => setTimeout(go, 10));
  expect(condition()).toBe(true);
}

describe('calls over a socket', () => {
  it('carry what was asked and what was answered, sizes as text, with defaults', async () => {
    const echo = controller({
      CreateVolume: (request) => {
        expect(request).toMatchObject({ name: 'pvc-1', parameters: {}, volume_content_source: null });
        return Promise.resolve({ volume: { volume_id: 'vol-1', capacity_bytes: '9007199254740993' } });
      },
    });
    await withCsiServer([echo], async ({ client, calls, log }) => {
      const answer = await client.controller.createVolume({
        name: 'pvc-1',
        volume_capabilities: [{ mount: {}, access_mode: { mode: 'SINGLE_NODE_WRITER' } }],
      });
      expect(answer.volume).toMatchObject({ volume_id: 'vol-1', capacity_bytes: '9007199254740993' });
      expect(calls).toEqual([['Controller', 'CreateVolume', 'OK']]);
      expect(log.lines.at(-1)).toMatchObject({ level: 'info', message: 'CreateVolume OK' });
    });
  });

  it('end with the code and the message of a foreseen failure', async () => {
    const message = 'volume vol-1 is gone – see the pool /srv/pool: 100 % lost\nrestore it';
    const lost = controller({ DeleteVolume: () => Promise.reject(new StorageError('data-loss', message)) });
    await withCsiServer([lost], async ({ client, calls }) => {
      const error = await failure(client.controller.deleteVolume({ volume_id: 'vol-1' }));
      expect(error).toMatchObject({ code: status.DATA_LOSS, details: message });
      expect(calls).toEqual([['Controller', 'DeleteVolume', 'DATA_LOSS']]);
    });
  });

  it('law 9: end with nothing of an unforeseen failure; its cause is in the log, without secrets', async () => {
    const broken = controller({ DeleteVolume: () => Promise.reject(new TypeError('password is hunter2')) });
    await withCsiServer([broken], async ({ client, log }) => {
      const request = { volume_id: 'vol-1', secrets: { password: 'hunter2' } };
      const error = await failure(client.controller.deleteVolume(request));
      expect(error.code).toBe(status.INTERNAL);
      const [, callId] =
        /^DeleteVolume failed .*: look for call ([0-9a-f]{8}) in its log$/.exec(error.details) ?? [];
      const line = log.lines.at(-1);
      expect(line).toMatchObject({ level: 'error', fields: { call: callId, code: 'INTERNAL' } });
      expect(line?.fields).toHaveProperty(
        'cause',
        expect.stringContaining('TypeError: password is [redacted]'),
      );
      expect(JSON.stringify(log.lines)).not.toContain('hunter2');
    });
  });

  it('are refused for a field that is missing or too long, before the handler runs', async () => {
    const untouched = controller({
      DeleteVolume: () => {
        throw new Error('must not run');
      },
    });
    await withCsiServer([untouched], async ({ client }) => {
      const missing = await failure(client.controller.deleteVolume({}));
      expect(missing).toMatchObject({
        code: status.INVALID_ARGUMENT,
        details: expect.stringContaining('DeleteVolume: volume_id'),
      });
      const long = await failure(client.controller.deleteVolume({ volume_id: 'v'.repeat(129) }));
      expect(long.details).toBe('DeleteVolume: volume_id has 129 bytes: the CSI spec allows 128');
    });
  });

  it('are refused by gRPC above 4 MiB, and the server lives on', async () => {
    const fine = controller({ DeleteVolume: () => Promise.resolve({}) });
    await withCsiServer([fine], async ({ client }) => {
      const huge = client.controller.deleteVolume({ volume_id: 'v'.repeat(4 * 1024 * 1024) });
      expect((await failure(huge)).code).toBe(status.RESOURCE_EXHAUSTED);
      await expect(client.controller.deleteVolume({ volume_id: 'v' })).resolves.toEqual({});
    });
  });

  it('may carry fields of a later CSI', async () => {
    const later = structuredClone(csiDescriptor) as unknown as {
      nested: { csi: { nested: { v1: Namespace } } };
    };
    const message = later.nested.csi.nested.v1.nested['DeleteVolumeRequest'];
    Object.assign(message?.fields ?? {}, { from_the_future: { type: 'string', id: 4242 } });
    const seen: unknown[] = [];
    const fine = controller({
      DeleteVolume: (request) => {
        seen.push(request);
        return Promise.resolve({});
      },
    });
    await withCsiServer([fine], async ({ endpoint }) => {
      const client = connectCsi(endpoint, { api: loadCsiApi(later as unknown as typeof csiDescriptor) });
      const request = { volume_id: 'v', from_the_future: 'x'.repeat(1000) };
      await expect(client.controller.deleteVolume(request)).resolves.toEqual({});
      client.close();
      expect(seen).toEqual([{ volume_id: 'v', secrets: {} }]);
    });
  });

  it.each([
    ['a method that is not served', 'controller', 'createSnapshot'],
    ['a service that is not served', 'node', 'nodeGetInfo'],
  ] as const)('to %s are UNIMPLEMENTED', async (_what, service, method) => {
    await withCsiServer([controller({})], async ({ client }) => {
      const stub = client[service] as unknown as Record<string, (request: object) => Promise<unknown>>;
      expect((await failure((stub[method] as (request: object) => Promise<unknown>)({}))).code).toBe(
        status.UNIMPLEMENTED,
      );
    });
  });
});

describe('calls that outlive their callers', () => {
  it('law 6: a deadline answers the caller, and the lock stays until the handler ends', async () => {
    const { service, finish } = heldDelete();
    await withCsiServer([service], async ({ client, lock, log }) => {
      const timedOut = client.controller.deleteVolume({ volume_id: 'v' }, { timeoutSeconds: 0.2 });
      expect((await failure(timedOut)).code).toBe(status.DEADLINE_EXCEEDED);

      const again = await failure(client.controller.deleteVolume({ volume_id: 'v' }));
      expect(again.code).toBe(status.ABORTED);
      expect(again.details).toMatch(
        /^DeleteVolume must wait: DeleteVolume \(call [0-9a-f]{8}, since .*\) is still at/,
      );
      expect(lock.size).toBe(1);

      finish();
      await until(() => lock.size === 0);
      expect(log.lines.map(({ message }) => message)).toContain(
        'DeleteVolume succeeded after its caller had stopped waiting',
      );
      await expect(client.controller.controllerGetVolume({ volume_id: 'v' })).resolves.toBeDefined();
    });
  });

  it('law 6: the default deadline does the same for a caller that sets none', async () => {
    const { service, finish } = heldDelete();
    await withCsiServer(
      [service],
      async ({ client, lock }) => {
        const timedOut = await failure(
          client.controller.deleteVolume({ volume_id: 'v' }, { timeoutSeconds: Infinity }),
        );
        expect(timedOut).toMatchObject({
          code: status.DEADLINE_EXCEEDED,
          details: expect.stringMatching(/the deadline of the call passed/),
        });
        expect(lock.size).toBe(1);
        finish(new StorageError('internal', 'too late'));
        await until(() => lock.size === 0);
      },
      { callTimeoutSeconds: 0.2 },
    );
  });

  it('law 6: a caller that cancels aborts the signal, and the lock stays until the handler ends', async () => {
    const { service, begun, finish } = heldDelete();
    await withCsiServer([service], async ({ client, lock, calls }) => {
      const controllerOfCaller = new AbortController();
      const call = client.controller.deleteVolume({ volume_id: 'v' }, { signal: controllerOfCaller.signal });
      const { signal } = await begun;
      expect(signal.aborted).toBe(false);
      controllerOfCaller.abort();
      expect((await failure(call)).code).toBe(status.CANCELLED);
      await until(() => signal.aborted);
      expect(signal.reason).toMatchObject({ code: 'cancelled' });
      await until(() => calls.length === 1);
      expect(calls).toEqual([['Controller', 'DeleteVolume', 'CANCELLED']]);
      expect(lock.size).toBe(1);
      finish();
      await until(() => lock.size === 0);
    });
  });
});
