import { beforeAll, describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
import type { HostReadiness } from '../../../src/core/ports/host-storage.ts';
import type { IdentityDefinition } from '../../../src/gen/csi/csi/v1/Identity.ts';
import { identityService, type IdentityOptions } from '../../../src/identity/identity-service.ts';
import { type CsiApi, loadCsiApi } from '../../../src/rpc/csi-api.ts';
import { RecordingLogger } from '../../support/recording-logger.ts';
import { wireCaller } from '../../support/wire-caller.ts';

const READY: HostReadiness = { ready: true };
const NO_PROXY: HostReadiness = {
  ready: false,
  reason: 'no pipe csi-proxy-disk-v1',
  mend: 'start the csiproxy service',
};

const OPTIONS: IdentityOptions = {
  name: 'ntfs.csi.io',
  version: '1.2.3',
  manifest: { commit: 'abc' },
  controllerService: true,
  volumeExpansion: 'ONLINE',
};

let api: CsiApi;
beforeAll(() => {
  api = loadCsiApi();
});

function identity(options: Partial<IdentityOptions> = {}, readiness = () => Promise.resolve(READY)) {
  const log = new RecordingLogger();
  const service = identityService({ readiness }, { ...OPTIONS, ...options });
  return { log, service, call: wireCaller<IdentityDefinition>(api, service, log) };
}

/** Readiness that changes: each probe takes the next state; the last one stays. */
function stateAfterState(...states: (HostReadiness | Error)[]): () => Promise<HostReadiness> {
  return () => {
    const state = (states.length > 1 ? states.shift() : states[0]) ?? READY;
    return state instanceof Error ? Promise.reject(state) : Promise.resolve(state);
  };
}

describe('GetPluginInfo', () => {
  it('gives name, version and manifest', async () => {
    expect(await identity().call('GetPluginInfo', {})).toEqual({
      name: 'ntfs.csi.io',
      vendor_version: '1.2.3',
      manifest: { commit: 'abc' },
    });
  });
});

describe('GetPluginCapabilities', () => {
  const controller = { service: { type: 'CONTROLLER_SERVICE' }, type: 'service' };
  const topology = { service: { type: 'VOLUME_ACCESSIBILITY_CONSTRAINTS' }, type: 'service' };
  const expansion = (type: string): object => ({ volume_expansion: { type }, type: 'volume_expansion' });

  it.each([
    [{ controllerService: true, volumeExpansion: 'ONLINE' }, [controller, topology, expansion('ONLINE')]],
    [{ controllerService: true, volumeExpansion: 'OFFLINE' }, [controller, topology, expansion('OFFLINE')]],
    [{ controllerService: false, volumeExpansion: 'ONLINE' }, [topology, expansion('ONLINE')]],
  ] as const)('with %j', async (options, capabilities) => {
    expect(await identity(options).call('GetPluginCapabilities', {})).toEqual({ capabilities });
  });
});

describe('Probe', () => {
  it('is ready when all that is needed is there', async () => {
    const { call, log } = identity();
    expect(await call('Probe', {})).toEqual({ ready: { value: true } });
    expect(log.lines).toEqual([{ level: 'info', fields: {}, message: 'ready' }]);
  });

  it('law 10: answers not ready instead of failing, and says why in the log', async () => {
    const { call, log } = identity({}, stateAfterState(NO_PROXY));
    expect(await call('Probe', {})).toEqual({ ready: { value: false } });
    const fields = { reason: 'no pipe csi-proxy-disk-v1', mend: 'start the csiproxy service' };
    expect(log.lines).toEqual([{ level: 'warn', fields, message: 'not ready' }]);
  });

  it('law 10: answers not ready when readiness cannot even be asked', async () => {
    const broken = new StorageError('unavailable', 'pool /pool is not mounted');
    const { call, log } = identity({}, stateAfterState(broken));
    expect(await call('Probe', {})).toEqual({ ready: { value: false } });
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]?.fields).toMatchObject({ reason: 'could not find out: pool /pool is not mounted' });
  });

  it('law 10: becomes ready by itself when what was missing appears', async () => {
    const { call } = identity({}, stateAfterState(NO_PROXY, NO_PROXY, READY));
    const answers = [await call('Probe', {}), await call('Probe', {}), await call('Probe', {})];
    expect(answers.map(({ ready }) => ready?.value)).toEqual([false, false, true]);
  });

  it('writes to the log only when something changes', async () => {
    const noPool: HostReadiness = { ready: false, reason: 'no pool', mend: 'mount /pool' };
    const states = [READY, READY, NO_PROXY, NO_PROXY, noPool, noPool, READY, READY];
    const { call, log } = identity({}, stateAfterState(...states));
    for (const _ of states) await call('Probe', {});
    const seen = log.lines.map(({ level, fields }) => ({ level, ...fields }));
    expect(seen).toEqual([
      { level: 'info' },
      { level: 'warn', reason: 'no pipe csi-proxy-disk-v1', mend: 'start the csiproxy service' },
      { level: 'warn', reason: 'no pool', mend: 'mount /pool' },
      { level: 'info' },
    ]);
  });

  it('passes the signal on, and takes the end of a call that was cancelled for no state', async () => {
    const log = new RecordingLogger();
    const controller = new AbortController();
    const { methods } = identityService(
      { readiness: (signal) => Promise.reject(signal.reason as Error) },
      OPTIONS,
    );
    controller.abort(new Error('caller has gone'));
    const context = { service: 'Identity', method: 'Probe', signal: controller.signal, log };
    await expect(methods['Probe']?.({}, context)).rejects.toThrow('caller has gone');
    expect(log.lines).toEqual([]);
  });
});

describe('locks', () => {
  it('takes none: a probe never waits for a volume', () => {
    expect(identity().service.lockKeys).toEqual({});
  });
});
