import { describe, expect, it } from '@jest/globals';
import { rootPath } from '../../../src/proxyserver/root-path.ts';

describe('rootPath', () => {
  it.each([
    [String.raw`C:\var\lib\kubelet`, '/var/lib/kubelet'],
    [String.raw`c:\var\lib\kubelet\\`, '/var/lib/kubelet'],
    ['C:/var/lib//kubelet', '/var/lib/kubelet'],
    [String.raw`C:\var/lib\.\kubelet`, '/var/lib/kubelet'],
    [String.raw`C:\var\lib\..\..\..\kubelet`, '/kubelet'],
    [String.raw`\var\lib`, '/var/lib'],
    ['/var/lib', '/var/lib'],
    ['C:\\', '/'],
    [String.raw`C:\Über 世界\a'b$(c)`, "/Über 世界/a'b$(c)"],
  ])('turns %s into %s', (windows, host) => {
    expect(rootPath('/').toHost(windows)).toBe(host);
    expect(rootPath('/srv/c/').toHost(windows)).toBe(host === '/' ? '/srv/c' : `/srv/c${host}`);
  });

  it.each([
    '',
    'C:',
    String.raw`C:var\lib`,
    String.raw`D:\var\lib`,
    String.raw`\\server\share\x`,
    '//server/share/x',
    String.raw`\\?\C:\var`,
    String.raw`\\.\pipe\x`,
    String.raw`var\lib`,
    String.raw`..\var`,
    'C:\\var\0\\lib',
  ])('has no path for %j', (path) => {
    expect(() => rootPath('/').toHost(path)).toThrow(expect.objectContaining({ code: 'invalid-argument' }));
  });

  it('gives a path of this machine as a client knows it', () => {
    expect(rootPath('/').toWindows('/var/lib')).toBe(String.raw`C:\var\lib`);
    expect(rootPath('/srv/c').toWindows('/srv/c/var/lib')).toBe(String.raw`C:\var\lib`);
    expect(rootPath('/srv/c').toWindows('/srv/c')).toBe('C:\\');
    expect(rootPath('/srv/c').toWindows('/srv/c/..hidden')).toBe(String.raw`C:\..hidden`);
  });

  it('leaves a path that is not below the folder as it is', () => {
    expect(rootPath('/srv/c').toWindows('/srv/cc/x')).toBe('/srv/cc/x');
    expect(rootPath('/srv/c').toWindows('/srv')).toBe('/srv');
  });
});
