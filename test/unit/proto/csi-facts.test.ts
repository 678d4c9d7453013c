import { fromJSON, loadSync } from '@grpc/proto-loader';
import { describe, expect, it } from '@jest/globals';
import { parseCsiProto } from '../../../scripts/lib/gen-proto.ts';
import { csiDescriptor } from '../../../src/gen/csi-descriptor.ts';
import { csiFacts } from '../../facts/csi-facts.ts';
import { describePackage, isImported, resolveFacts } from './describe-descriptor.ts';

/** toStrictEqual reports what is missing and what is extra, so each of these holds in both directions. */
describe('run-time descriptor against the facts of CSI 1.13', () => {
  const found = describePackage(csiDescriptor, 'csi.v1');
  const imported = describePackage(csiDescriptor, 'google.protobuf');
  const facts = resolveFacts(csiFacts);
  const names = Object.keys(facts.messages);

  it('is of the package and release the facts are of', () => {
    expect([csiFacts.package, csiFacts.spec_version]).toEqual(['csi.v1', '1.13.0']);
  });

  it('has the same messages', () => {
    const own = names.filter((name) => !isImported(name));
    expect(Object.keys(found.messages).sort()).toStrictEqual(own.sort());
  });

  it.each(names)('has the same fields in %s', (name) => {
    expect((isImported(name) ? imported : found).messages[name]).toStrictEqual(facts.messages[name]);
  });

  it('has the same enums with the same values', () => {
    expect(found.enums).toStrictEqual(facts.enums);
  });

  it('has the same services with the same rpcs in the same order', () => {
    expect(found.services).toStrictEqual(facts.services);
  });

  it('has the same extensions with the same numbers', () => {
    expect(found.extensions).toStrictEqual(facts.extensions);
  });

  it('has no option on anything else', () => {
    expect(found.strayOptions).toEqual([]);
  });
});

describe('run-time descriptor against proto/csi.proto', () => {
  it('is what parsing the file gives', () => {
    expect(csiDescriptor).toStrictEqual(parseCsiProto());
  });

  it('gives gRPC the same services and messages as the file', () => {
    const options = { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true };
    const shape = (definition: ReturnType<typeof fromJSON>): unknown =>
      JSON.parse(
        JSON.stringify(definition, (key, value: unknown) => (key === 'fileDescriptorProtos' ? null : value)),
      );
    expect(shape(fromJSON(csiDescriptor, options))).toStrictEqual(
      shape(loadSync('proto/csi.proto', options)),
    );
  });
});
