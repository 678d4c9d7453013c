import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { API_GROUPS, type ApiGroup } from '../../../src/proxyapi/api-versions.ts';
import {
  allMethods,
  portMethods,
  requestOverWire,
  responseOverWire,
  type WireMethod,
} from '../../support/proxy-codecs.ts';
import { portValues } from './port-values.ts';

interface AnyValues {
  readonly args: fc.Arbitrary<unknown[]>;
  readonly result: fc.Arbitrary<unknown>;
}

function valuesOf(group: ApiGroup, method: string): AnyValues {
  const values = (portValues[group] as unknown as Readonly<Record<string, AnyValues>>)[method];
  if (values === undefined) throw new Error(`say what ${method} takes and gives`);
  return values;
}

/** Versions before v1beta3 list the volumes of whole disks only. */
const canSay = ({ pipe, method }: WireMethod, args: readonly unknown[]): boolean =>
  method !== 'listVolumesOnDisk' || ['v2alpha1', 'v1', 'v1beta3'].includes(pipe.version) || args[1] === 0;

const cases = allMethods().map((wireMethod) => ({
  title: `${wireMethod.pipe.group} ${wireMethod.pipe.version} ${wireMethod.method} (${wireMethod.codec.rpc})`,
  wireMethod,
  values: valuesOf(wireMethod.pipe.group, wireMethod.method),
}));

describe('what one side says of a call is what the other hears', () => {
  it('covers every method of every port', () => {
    for (const group of API_GROUPS) {
      expect([...portMethods(group)].sort()).toEqual(Object.keys(portValues[group]).sort());
    }
  });

  it.each(cases)('$title: arguments', ({ wireMethod, values }) => {
    const { codec } = wireMethod;
    fc.assert(
      fc.property(values.args, (args) => {
        fc.pre(canSay(wireMethod, args));
        const request = requestOverWire(wireMethod, codec.encodeRequest(args));
        expect(codec.decodeRequest(request)).toStrictEqual(args);
      }),
      { numRuns: 60 },
    );
  });

  it.each(cases)('$title: result', ({ wireMethod, values }) => {
    const { codec } = wireMethod;
    fc.assert(
      fc.property(values.result, (result) => {
        const response = responseOverWire(wireMethod, codec.encodeResponse(result));
        expect(codec.decodeResponse(response)).toStrictEqual(result);
      }),
      { numRuns: 60 },
    );
  });
});
