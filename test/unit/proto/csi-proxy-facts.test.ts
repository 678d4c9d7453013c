import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parseProxyProto } from '../../../scripts/lib/gen-proxy-proto.ts';
import { descriptors } from '../../../src/gen/csi-proxy/descriptors.ts';
import { ALL_PIPES, pipeName } from '../../../src/proxyapi/api-versions.ts';
import { csiProxyFacts } from '../../facts/csi-proxy-facts.ts';
import { describePackage, resolveFacts } from './describe-descriptor.ts';

const factPipes = Object.entries(csiProxyFacts).flatMap(([group, versions]) =>
  Object.entries(versions).map(([version, facts]) => ({ group, version, facts })),
);
const names = factPipes.map(({ group, version }) => `${group}/${version}`).sort();
const descriptorOf = new Map(Object.entries(descriptors));

describe('the pipes of CSI Proxy', () => {
  it('are those of the facts', () => {
    expect(ALL_PIPES.map(({ group, version }) => `${group}/${version}`).sort()).toEqual(names);
    expect([...descriptorOf.keys()].sort()).toEqual(ALL_PIPES.map(pipeName).sort());
  });

  it('have a proto each, and there is no other', () => {
    const files = readdirSync('proto/csi-proxy', { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.endsWith('.proto')).sort()).toEqual(
      names.map((name) => `${name}.proto`),
    );
  });
});

/** toStrictEqual reports what is missing and what is extra, so each of these holds in both directions. */
describe.each(factPipes)('proto/csi-proxy/$group/$version.proto', ({ group, version, facts }) => {
  const descriptor = descriptorOf.get(`csi-proxy-${group}-${version}`);

  it('has the messages, fields, enums and rpcs of the facts, and nothing else', () => {
    expect(facts.package).toBe(version);
    expect({ ...describePackage(descriptor ?? {}, version) }).toStrictEqual({
      ...resolveFacts(facts),
      strayOptions: [],
    });
  });

  it('is what the driver serves', () => {
    const pipe = ALL_PIPES.find((known) => known.group === group && known.version === version);
    expect(pipe && parseProxyProto(pipe).toJSON()).toStrictEqual(descriptor);
  });
});
