import { describe, expect, it } from '@jest/globals';
import { ALL_PIPES } from '../../../src/proxyapi/api-versions.ts';
import { codecOf } from '../../../src/proxyapi/codec-of.ts';
import { shortcomingsOf } from '../../../src/proxyapi/shortcomings.ts';
import { wireService } from '../../../src/proxyapi/wire-service.ts';
import { allMethods, methodsOf, portMethods } from '../../support/proxy-codecs.ts';

describe.each(ALL_PIPES)('$group $version', (pipe) => {
  const methods = methodsOf(pipe);

  it('has a method for each rpc of its service, and one each', () => {
    const rpcs = methods.map(({ codec }) => codec.rpc);
    expect(rpcs.sort()).toEqual(Object.keys(wireService(pipe)).sort());
  });

  it('calls its rpcs by the name of its package', () => {
    const service = pipe.group.charAt(0).toUpperCase() + pipe.group.slice(1);
    for (const { wire, codec } of methods) {
      expect(wire.path).toBe(`/${pipe.version}.${service}/${codec.rpc}`);
      expect([wire.requestStream, wire.responseStream]).toEqual([false, false]);
    }
  });

  it('has the shortcomings that its codec has, each once, and says what each costs', () => {
    const can = methods.map(({ method }) => method);
    const missing = portMethods(pipe.group).filter((method) => !can.includes(method));
    const told = shortcomingsOf(pipe);
    expect(told.flatMap((shortcoming) => shortcoming.methods).sort()).toEqual([...missing].sort());
    expect(told.every(({ cost }) => cost.length > 0)).toBe(true);
    expect(told.every(({ cost, harmless }) => cost.startsWith('nothing is lost') === harmless)).toBe(true);
  });
});

describe('codecOf', () => {
  it('is for all 139 rpcs of CSI Proxy', () => {
    expect(allMethods()).toHaveLength(139);
  });

  it('is one codec for versions that are the same', () => {
    expect(codecOf('disk', 'v1beta3')).toBe(codecOf('disk', 'v1'));
    expect(codecOf('volume', 'v1beta3')).toBe(codecOf('volume', 'v1'));
    expect(codecOf('filesystem', 'v1beta2')).toBe(codecOf('filesystem', 'v1'));
    expect(codecOf('smb', 'v1beta2')).toBe(codecOf('smb', 'v1'));
    expect(codecOf('smb', 'v1alpha1')).toBe(codecOf('smb', 'v1beta1'));
  });

  it('refuses a version that a group never had', () => {
    expect(() => codecOf('system', 'v1')).toThrow('never had system v1');
    expect(() => wireService({ group: 'disk', version: 'v2alpha1' })).toThrow('csi-proxy-disk-v2alpha1');
    expect(shortcomingsOf({ group: 'system', version: 'v1alpha1' })).toEqual([]);
  });
});
