import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { StorageError } from '../../../../src/core/errors.ts';
import { loadCsiApi, requestType, serviceDefinition } from '../../../../src/rpc/csi-api.ts';
import { RULES } from '../../../../src/rpc/field-rules.ts';
import { limits } from '../../../../src/rpc/interceptors/limits.ts';
import { callContext } from '../../../support/call-context.ts';
import { MINIMAL_REQUESTS, receivedRequest } from '../../../support/csi-requests.ts';

const api = loadCsiApi();

/** `ok`, or the code and text of the refusal. */
async function verdict(method: string, changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const handler = limits(requestType(api, method))(() => Promise.resolve('ok'));
  const call = handler(receivedRequest(api, method, changes), callContext({ method }));
  return call.then(String, (error: unknown) => {
    const { code, message } = error as StorageError;
    return `${code}: ${message}`;
  });
}

const methods = ['Identity', 'Controller', 'Node'].flatMap((name) =>
  Object.keys(serviceDefinition(api, name)),
);
const required = methods.flatMap((method) =>
  (RULES[`${method}Request`]?.required ?? []).map((field) => [method, field] as const),
);
const mount = { mount: {}, access_mode: { mode: 'SINGLE_NODE_WRITER' } };

describe('limits: required fields', () => {
  it.each(methods)('lets the smallest request of %s pass', async (method) => {
    expect(Object.keys(MINIMAL_REQUESTS)).toContain(method);
    await expect(verdict(method)).resolves.toBe('ok');
  });

  it.each(required)('%s without %s is refused, naming both', async (method, field) => {
    const code =
      field === 'staging_target_path' && method === 'NodePublishVolume'
        ? 'failed-precondition'
        : 'invalid-argument';
    await expect(verdict(method, { [field]: undefined })).resolves.toBe(
      `${code}: ${method}: ${field} is missing: the CSI spec requires the caller to set it`,
    );
  });

  it('asks for all that csi.proto calls REQUIRED, and for the staging path of NodePublishVolume', () => {
    const proto = readFileSync('proto/csi.proto', 'utf8');
    const marked = methods.flatMap((method) => {
      const [, body = ''] = new RegExp(`^message ${method}Request \\{\\n([^]*?)^\\}`, 'm').exec(proto) ?? [];
      const fields = body.matchAll(/\/\/ REQUIRED.*\n(?: *\/\/.*\n)*.*?(\w+) = \d+/g);
      return [...fields].map(([, field = '']) => [method, field] as const);
    });
    const expected = [...marked, ['NodePublishVolume', 'staging_target_path']];
    expect(required.map(String).sort()).toEqual(expected.map(String).sort());
  });

  it('has rules only for messages and fields that exist', () => {
    for (const [message, rules] of Object.entries(RULES)) {
      const oneofs = ['access_type', 'type'];
      const known = [...(api.types.get(message)?.fields.map(({ name }) => name) ?? []), ...oneofs];
      expect(known).toEqual(expect.arrayContaining(Object.values(rules).flat() as string[]));
      expect(api.types.has(message)).toBe(true);
    }
  });

  it.each([
    [
      'CreateVolume',
      { volume_capabilities: [mount, { mount: {} }] },
      'volume_capabilities[1].access_mode is missing',
    ],
    [
      'CreateVolume',
      { volume_capabilities: [{ ...mount, mount: undefined }] },
      'volume_capabilities[0].access_type is missing',
    ],
    [
      'NodeStageVolume',
      { volume_capability: { mount: {}, access_mode: {} } },
      'volume_capability.access_mode.mode is missing',
    ],
    ['CreateVolume', { volume_content_source: {} }, 'volume_content_source.type is missing'],
    [
      'CreateVolume',
      { volume_content_source: { snapshot: {} } },
      'volume_content_source.snapshot.snapshot_id is missing',
    ],
    [
      'CreateVolume',
      { volume_content_source: { volume: {} } },
      'volume_content_source.volume.volume_id is missing',
    ],
    [
      'CreateVolume',
      { accessibility_requirements: {} },
      'accessibility_requirements.requisite or preferred is missing',
    ],
    [
      'ControllerExpandVolume',
      { capacity_range: {} },
      'capacity_range.required_bytes or limit_bytes is missing',
    ],
  ])('%s with %j: %s', async (method, changes, text) => {
    await expect(verdict(method, changes)).resolves.toContain(`invalid-argument: ${method}: ${text}`);
  });

  it.each([
    ['CreateVolume', { name: 'UNKNOWN' }],
    ['DeleteVolume', { volume_id: '0' }],
    ['CreateVolume', { volume_capabilities: [{ block: {}, access_mode: { mode: 'SINGLE_NODE_WRITER' } }] }],
    ['ControllerExpandVolume', { capacity_range: { limit_bytes: '5' } }],
  ])('%s with %j is not missing anything', async (method, changes) => {
    await expect(verdict(method, changes)).resolves.toBe('ok');
  });
});

describe('limits: contents', () => {
  it.each([
    ['ListVolumes', { max_entries: -1 }, 'max_entries is -1: it must not be negative'],
    ['ListSnapshots', { max_entries: -7 }, 'max_entries is -7: it must not be negative'],
    [
      'CreateVolume',
      { capacity_range: { required_bytes: '-1' } },
      'capacity_range.required_bytes is -1: it must not',
    ],
    [
      'NodeExpandVolume',
      { capacity_range: { limit_bytes: '-9223372036854775808' } },
      'capacity_range.limit_bytes is -',
    ],
    ['CreateVolume', { name: 'a\u0000b' }, 'name has a control character: "a\\u0000b"'],
    ['CreateSnapshot', { name: 'a\u007f' }, 'name has a control character'],
    ['NodeStageVolume', { staging_target_path: '/a\u0000' }, 'staging_target_path has a control character'],
    ['NodePublishVolume', { target_path: '/a\u0001' }, 'target_path has a control character'],
    ['NodeGetVolumeStats', { volume_path: '/a\u001f' }, 'volume_path has a control character'],
  ])('%s with %j: %s', async (method, changes, text) => {
    await expect(verdict(method, changes)).resolves.toContain(`invalid-argument: ${method}: ${text}`);
  });

  it.each(Array.from({ length: 0xa1 }, (_unused, code) => code))(
    'a name with U+%i is judged as CSI says',
    async (code) => {
      const banned =
        code < 9 ||
        code === 0xb ||
        code === 0xc ||
        (code > 0xd && code < 0x20) ||
        (code > 0x7e && code < 0xa0);
      const found = await verdict('CreateVolume', { name: `pvc${String.fromCharCode(code)}1` });
      expect(found === 'ok').toBe(!banned);
    },
  );

  it.each<[string, string, (size: number) => unknown, number, string?]>([
    ['CreateVolume', 'name', (n) => 'x'.repeat(n), 128],
    ['CreateVolume', 'name', (n) => 'é'.repeat(Math.ceil(n / 2)), 128],
    ['CreateVolume', 'parameters', (n) => ({ key: 'v'.repeat(n - 3) }), 4096],
    ['CreateVolume', 'parameters', (n) => ({ key: 'v'.repeat(2000), ['k'.repeat(n - 2004)]: 'v' }), 4096],
    ['CreateVolume', 'secrets', (n) => ({ key: 'v'.repeat(n - 3) }), 4096],
    ['DeleteVolume', 'volume_id', (n) => 'x'.repeat(n), 128],
    ['ControllerPublishVolume', 'node_id', (n) => 'x'.repeat(n), 256],
    ['ListVolumes', 'starting_token', (n) => 'x'.repeat(n), 128],
    ['NodeStageVolume', 'staging_target_path', (n) => 'x'.repeat(n), 4096],
    ['NodePublishVolume', 'target_path', (n) => 'x'.repeat(n), 4096],
    ['NodeGetVolumeStats', 'volume_path', (n) => 'x'.repeat(n), 4096],
    ['NodeStageVolume', 'publish_context', (n) => ({ k: 'v'.repeat(n - 1) }), 4096],
    [
      'NodeStageVolume',
      'volume_capability',
      (n) => ({ ...mount, mount: { mount_flags: ['f'.repeat(n - 2000), 'f'.repeat(2000)] } }),
      4096,
      '.mount.mount_flags',
    ],
    [
      'NodeStageVolume',
      'volume_capability',
      (n) => ({ ...mount, mount: { fs_type: 'f'.repeat(n) } }),
      128,
      '.mount.fs_type',
    ],
    [
      'CreateVolume',
      'volume_content_source',
      (n) => ({ snapshot: { snapshot_id: 's'.repeat(n) } }),
      128,
      '.snapshot.snapshot_id',
    ],
    [
      'CreateVolume',
      'accessibility_requirements',
      (n) => ({ requisite: [{ segments: { zone: 'a' } }, { segments: { zone: 'z'.repeat(n - 4) } }] }),
      4096,
      '.requisite[1].segments',
    ],
  ])(
    '%s.%s may be as large as the spec says, and not larger',
    async (method, field, make, limit, inner = '') => {
      await expect(verdict(method, { [field]: make(limit) })).resolves.toBe('ok');
      await expect(verdict(method, { [field]: make(limit + 2) })).resolves.toBe(
        `invalid-argument: ${method}: ${field}${inner} has ${limit + 2} bytes: the CSI spec allows ${limit}`,
      );
    },
  );
});
