import { describe, expect, it } from '@jest/globals';
import { codecOf } from '../../../src/proxyapi/codec-of.ts';
import { pathContextOf, pathsInContext } from '../../../src/proxyapi/path-context.ts';

describe('pathContextOf', () => {
  it.each([
    ['C:\\var\\lib\\kubelet\\pods\\a\\volumes\\x\\mount', 'POD'],
    ['C:\\var\\lib\\kubelet\\pods', 'POD'],
    ['c:\\VAR\\lib\\Kubelet\\Pods\\a', 'POD'],
    ['C:/var/lib/kubelet/pods/a', 'POD'],
    ['C:\\var\\lib\\\\kubelet\\pods\\a', 'POD'],
    ['C:\\var\\lib\\kubelet\\plugins\\kubernetes.io\\csi\\x\\globalmount', 'PLUGIN'],
    ['C:\\var\\lib\\kubelet\\plugins\\pods', 'PLUGIN'],
    ['C:\\var\\lib\\kubelet\\pods-evil\\a', 'PLUGIN'],
    ['C:\\var\\lib\\kubelet', 'PLUGIN'],
    ['D:\\var\\lib\\kubelet\\pods\\a', 'PLUGIN'],
    ['', 'PLUGIN'],
  ])('%j is %s', (path, context) => {
    expect(pathContextOf('C:\\var\\lib\\kubelet')(path)).toBe(context);
    expect(pathContextOf('c:/var/lib/kubelet/')(path)).toBe(context);
  });

  it('goes by the folder of this kubelet', () => {
    expect(pathContextOf('D:\\k')('D:\\k\\pods\\a')).toBe('POD');
    expect(pathContextOf('D:\\k')('C:\\var\\lib\\kubelet\\pods\\a')).toBe('PLUGIN');
  });
});

describe.each(['v1beta1', 'v1alpha1'] as const)('filesystem %s', (version) => {
  const pipe = { group: 'filesystem', version } as const;
  const codec = codecOf('filesystem', version, { pathContextOf: pathContextOf('D:\\k') });

  it('says the root of each path', () => {
    expect(codec.mkdir?.encodeRequest(['D:\\k\\pods\\a'])).toEqual({
      path: 'D:\\k\\pods\\a',
      context: 'POD',
    });
    expect(codec.pathExists?.encodeRequest(['D:\\k\\plugins\\a'])).toMatchObject({ context: 'PLUGIN' });
    expect(codec.rmdir?.encodeRequest(['D:\\k\\pods\\a', true])).toMatchObject({
      context: 'POD',
      force: true,
    });
  });

  it('takes the usual folder of a kubelet when it is told of none', () => {
    const { mkdir } = codecOf('filesystem', version);
    expect(mkdir?.encodeRequest(['C:\\var\\lib\\kubelet\\pods\\a'])).toMatchObject({ context: 'POD' });
  });

  it('says none where the message has none', () => {
    expect(codec.createSymlink?.encodeRequest(['s', 't'])).toEqual({ source_path: 's', target_path: 't' });
    expect(codec.isSymlink?.encodeRequest(['D:\\k\\pods\\a'])).toEqual({ path: 'D:\\k\\pods\\a' });
  });

  it('lets a server see what has to be below which root', () => {
    expect(pathsInContext(pipe, 'Mkdir', { path: 'p', context: 'POD' })).toEqual([
      { path: 'p', context: 'POD' },
    ]);
    expect(pathsInContext(pipe, 'LinkPath', { source_path: 's', target_path: 't' })).toEqual([
      { path: 's', context: 'PLUGIN' },
      { path: 't', context: 'POD' },
    ]);
    expect(pathsInContext(pipe, 'IsMountPoint', { path: 'p' })).toEqual([]);
  });

  it('has no third root', () => {
    expect(() => pathsInContext(pipe, 'Mkdir', { path: 'p', context: 2 })).toThrow('PathContext 2');
  });
});

describe('other messages', () => {
  it.each(['v1beta1', 'v1alpha1'] as const)('SMB %s makes its link in a plugin folder', (version) => {
    const pipe = { group: 'smb', version } as const;
    const request = { remote_path: 'r', local_path: 'l' };
    expect(pathsInContext(pipe, 'NewSmbGlobalMapping', request)).toEqual([{ path: 'l', context: 'PLUGIN' }]);
    expect(pathsInContext(pipe, 'NewSmbGlobalMapping', { ...request, local_path: '' })).toEqual([]);
    expect(pathsInContext(pipe, 'RemoveSmbGlobalMapping', { remote_path: 'r' })).toEqual([]);
  });

  it('demand no root', () => {
    expect(pathsInContext({ group: 'filesystem', version: 'v1beta2' }, 'Mkdir', { path: 'p' })).toEqual([]);
    expect(
      pathsInContext({ group: 'smb', version: 'v1' }, 'NewSmbGlobalMapping', { local_path: 'l' }),
    ).toEqual([]);
    expect(pathsInContext({ group: 'volume', version: 'v1beta1' }, 'MountVolume', { path: 'p' })).toEqual([]);
  });
});
