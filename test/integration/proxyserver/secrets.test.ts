import { describe, expect, it } from '@jest/globals';
import { StorageError } from '../../../src/core/errors.ts';
import type { HostIscsi, HostSmb, HostStorage } from '../../../src/core/ports/host-storage.ts';
import type { Fields, Group } from '../../conformance/wire.ts';
import { overriding } from '../../../src/util/overriding.ts';
import { ServedMachine } from './served-machine.ts';

const SECRET = `p"a's\\s-wörd`;
/** As it may be quoted; the middle is in all of them. */
const TRACE = 's-wörd';

/** A host that says all it was told when it fails, in its message and in the cause of it. */
function talkative(host: HostStorage, fail: (told: string) => Error): HostStorage {
  const telling = new Proxy({} as HostSmb & HostIscsi, {
    get:
      () =>
      (...args: unknown[]) =>
        Promise.reject(
          fail(`${JSON.stringify(args.slice(0, -1))} ${args.slice(0, -1).map(String).join(' ')}`),
        ),
  });
  return overriding(host, { smb: telling, iscsi: telling });
}

const FAILURES: readonly (readonly [string, (told: string) => Error])[] = [
  [
    'foreseen',
    (told) => new StorageError('internal', `failed: ${told}`, { cause: new Error(`cause: ${told}`) }),
  ],
  ['not foreseen', (told) => new TypeError(`crashed: ${told}`)],
];

const portal = { target_portal: { target_address: '10.0.0.1', target_port: 3260 }, iqn: 'iqn.x' };
const chap = { auth_type: 'ONE_WAY_CHAP', chap_username: 'u', chap_secret: SECRET };
const mapping = { remote_path: '\\\\h\\s', username: 'u', password: SECRET };
const CALLS: readonly (readonly [Group, string, string, Fields])[] = [
  ...['v1', 'v1beta2', 'v1beta1', 'v1alpha1'].map(
    (version) => ['smb', version, 'NewSmbGlobalMapping', mapping] as const,
  ),
  ['smb', 'v1', 'NewSmbGlobalMapping', { ...mapping, remote_path: 'none' }],
  ['smb', 'v1', 'NewSmbGlobalMapping', { ...mapping, local_path: 'C:\\outside' }],
  ['iscsi', 'v1alpha1', 'ConnectTarget', { ...portal, ...chap }],
  ['iscsi', 'v1alpha2', 'ConnectTarget', { ...portal, ...chap }],
  ['iscsi', 'v1alpha2', 'ConnectTarget', { ...portal, ...chap, auth_type: 7 }],
  ['iscsi', 'v1alpha2', 'SetMutualChapSecret', { MutualChapSecret: SECRET }],
];

describe.each(['1.2', '1.3'] as const)('a server of era %s', (era) => {
  it.each(FAILURES)(
    'law 9: has no secret in any answer, log or metric of a failure that is %s',
    async (_how, fail) => {
      await ServedMachine.run({ era, host: (host) => talkative(host, fail) }, async (machine) => {
        const answers: string[] = [];
        for (const [group, version, rpc, request] of CALLS) {
          const { code, details } = await machine.failure(`${group} ${version}`, rpc, request);
          expect(code).toBe(2);
          answers.push(details);
        }
        const all = JSON.stringify([answers, machine.log.lines, machine.calls]);
        expect(all).toContain('NewSmbGlobalMapping');
        expect(all).toContain('[redacted]');
        expect(all).not.toContain(TRACE);
      });
    },
  );
});
