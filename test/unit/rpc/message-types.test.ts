import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { loadCsiApi, requestType, serviceDefinition } from '../../../src/rpc/csi-api.ts';
import { messageTypes } from '../../../src/rpc/message-types.ts';

const types = messageTypes(
  {
    nested: {
      pkg: {
        nested: {
          Outer: {
            fields: {
              text: { type: 'string', id: 1 },
              token: { type: 'string', id: 2, options: { '(csi_secret)': true } },
              open: { type: 'string', id: 3, options: { '(csi_secret)': false } },
              tags: { keyType: 'string', type: 'string', id: 4 },
              inner: { type: 'Inner', id: 5 },
              others: { rule: 'repeated', type: '.pkg.Other', id: 6 },
              count: { type: 'int64', id: 7 },
            },
            nested: { Inner: { fields: { again: { type: 'Outer', id: 1 } } } },
          },
          Inner: { fields: {} },
          Other: { fields: { key: { type: 'bytes', id: 1, options: { '(pkg.csi_secret)': true } } } },
        },
      },
    },
  } as unknown as Parameters<typeof messageTypes>[0],
  'pkg',
);

const field = (message: string, name: string) =>
  types.get(message)?.fields.find((candidate) => candidate.name === name);

describe('messageTypes', () => {
  it.each([
    ['text', 'string', false, false],
    ['token', 'string', false, true],
    ['open', 'string', false, false],
    ['tags', 'map', false, false],
    ['inner', 'message', false, false],
    ['others', 'message', true, false],
    ['count', 'other', false, false],
  ])('reads field %s as %s', (name, kind, repeated, secret) => {
    expect(field('Outer', name)).toMatchObject({ kind, repeated, secret });
  });

  it('finds a type in the nearest scope, and links recursive types', () => {
    expect(field('Outer', 'inner')?.message).toBe(types.get('Outer.Inner'));
    expect(field('Outer.Inner', 'again')?.message).toBe(types.get('Outer'));
    expect(field('Outer', 'others')?.message).toBe(types.get('Other'));
  });

  it('knows the option by its full name too', () => {
    expect(field('Other', 'key')?.secret).toBe(true);
  });
});

describe('the CSI descriptor', () => {
  const api = loadCsiApi();

  it('has a request type for every rpc that is served', () => {
    for (const service of ['Identity', 'Controller', 'Node']) {
      for (const method of Object.keys(serviceDefinition(api, service))) {
        expect(requestType(api, method).name).toBe(`${method}Request`);
      }
    }
  });

  it('law 9: marks the secrets of every message that has them', () => {
    const secret = [...api.types.values()].filter(({ fields }) => fields.some((each) => each.secret));
    const named = [...api.types.values()].filter(({ fields }) =>
      fields.some(({ name }) => name === 'secrets'),
    );
    expect(secret.map(({ name }) => name)).toEqual(named.map(({ name }) => name));
    const marks = readFileSync('proto/csi.proto', 'utf8').match(/\(csi_secret\) = true/g);
    expect(secret).toHaveLength(marks?.length ?? 0);
  });

  it.each(['Nothing', ''])('refuses the unknown service "%s" and rpc', (name) => {
    expect(() => serviceDefinition(api, name)).toThrow('has no service');
    expect(() => requestType(api, name)).toThrow('has no rpc');
  });
});
