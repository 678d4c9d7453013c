import { describe, expect, it } from '@jest/globals';
import type { CsiService } from '../../../src/rpc/call.ts';
import { loadCsiApi } from '../../../src/rpc/csi-api.ts';
import { CsiServer } from '../../../src/rpc/csi-server.ts';
import { KeyedLock } from '../../../src/util/keyed-lock.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';

const api = loadCsiApi();
const serve = (...services: CsiService[]): CsiServer =>
  new CsiServer({
    services,
    log: new RecordingLogger(),
    observer: { started: () => undefined, finished: () => undefined },
    lock: new KeyedLock(),
    api,
  });
const handler = (): Promise<object> => Promise.resolve({});

describe('CsiServer', () => {
  it('refuses a handler for an rpc that CSI does not have', () => {
    const service: CsiService = { name: 'Identity', methods: { Prob: handler }, lockKeys: {} };
    expect(() => serve(service)).toThrow('Identity of CSI has no rpc Prob');
  });

  it('refuses a service twice', () => {
    const service: CsiService = { name: 'Identity', methods: { Probe: handler }, lockKeys: {} };
    expect(() => serve(service, service)).toThrow('already provided');
  });

  it.each(['', 'csi.sock', 'unix:csi.sock', 'tcp://0.0.0.0:1'])(
    'refuses the endpoint "%s"',
    async (endpoint) => {
      await expect(serve().listen(endpoint)).rejects.toMatchObject({ code: 'invalid-argument' });
    },
  );
});
