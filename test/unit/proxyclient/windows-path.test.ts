import { describe, expect, it } from '@jest/globals';
import { windowsPath } from '../../../src/proxyclient/windows-path.ts';

describe('every form that kubelet and we write becomes one', () => {
  it.each([
    ['/var/lib/kubelet', 'C:\\var\\lib\\kubelet'],
    ['\\var\\lib\\kubelet', 'C:\\var\\lib\\kubelet'],
    ['\\var\\lib\\kubelet\\plugins\\kubernetes.io', 'C:\\var\\lib\\kubelet\\plugins\\kubernetes.io'],
    ['c:\\var\\lib\\kubelet', 'C:\\var\\lib\\kubelet'],
    ['C:\\var\\lib\\kubelet', 'C:\\var\\lib\\kubelet'],
    ['C:/var/lib/kubelet', 'C:\\var\\lib\\kubelet'],
    ['c:/x', 'C:\\x'],
    ['C:\\\\var\\\\lib\\\\kubelet\\\\plugins', 'C:\\var\\lib\\kubelet\\plugins'],
    ['c:\\var/lib\\kubelet/pods\\pv1', 'C:\\var\\lib\\kubelet\\pods\\pv1'],
    ['/var//lib///kubelet', 'C:\\var\\lib\\kubelet'],
    ['/var/lib/kubelet/', 'C:\\var\\lib\\kubelet'],
    ['C:\\var\\lib\\kubelet\\', 'C:\\var\\lib\\kubelet'],
    ['\\\\?\\C:\\var\\lib\\kubelet', 'C:\\var\\lib\\kubelet'],
    ['\\\\?\\c:\\var\\lib\\kubelet\\', 'C:\\var\\lib\\kubelet'],
    ['//?/C:/var/lib', 'C:\\var\\lib'],
    ['D:\\k', 'D:\\k'],
    ['d:/k/', 'D:\\k'],
    ['C:\\', 'C:\\'],
    ['c:/', 'C:\\'],
    ['/', 'C:\\'],
    ['\\', 'C:\\'],
    ['C:\\var\\lib\\kubelet-evil', 'C:\\var\\lib\\kubelet-evil'],
    [
      'C:\\var\\lib\\kubelet\\plugins\\ebs.csi.aws.com\\csi.sock',
      'C:\\var\\lib\\kubelet\\plugins\\ebs.csi.aws.com\\csi.sock',
    ],
    [
      'c:\\var\\lib\\kubelet\\pods\\0f-1\\volumes\\kubernetes.io~csi\\pvc-1/mount',
      'C:\\var\\lib\\kubelet\\pods\\0f-1\\volumes\\kubernetes.io~csi\\pvc-1\\mount',
    ],
    [
      '\\var\\lib\\kubelet\\plugins\\kubernetes.io\\csi\\ntfs.csi.example\\9f86d081\\globalmount',
      'C:\\var\\lib\\kubelet\\plugins\\kubernetes.io\\csi\\ntfs.csi.example\\9f86d081\\globalmount',
    ],
    ['C:\\C\\d7b0a1', 'C:\\C\\d7b0a1'],
    ['/a b/ü/a..b', 'C:\\a b\\ü\\a..b'],
    ['/.hidden', 'C:\\.hidden'],
  ])('%s → %s', (path, form) => {
    expect(windowsPath(path)).toBe(form);
    expect(windowsPath(form)).toBe(form);
  });
});

describe('what is no path of a drive, or no name in Windows, is refused with what is wrong', () => {
  it.each([
    ['', 'not absolute'],
    ['pv1\\foo', 'not absolute'],
    ['foo/bar', 'not absolute'],
    ['C:', 'not absolute'],
    ['C:foo\\bar', 'not absolute'],
    ['CC:\\foo', 'not absolute'],
    ['\\\\server\\share\\x', 'share or a device'],
    ['//server/share', 'share or a device'],
    ['\\\\csi-plugin\\..\\..\\..\\system32', 'share or a device'],
    ['\\\\.\\pipe\\csi-proxy-disk-v1', 'share or a device'],
    ['\\\\.\\C:\\x', 'share or a device'],
    ['\\\\?\\UNC\\server\\share', 'share or a device'],
    ['\\\\?\\Volume{6c1f3c4e-0000-4000-8000-000000000001}\\', 'share or a device'],
    ['C:\\var\\lib\\kubelet\\pv1\\..\\..\\..\\system32', '".." may lead elsewhere'],
    ['/var/lib/../x', '".." may lead elsewhere'],
    ['/var/./x', '"." may lead elsewhere'],
    ['C:\\pv1:foo', 'no ":"'],
    ['/c:/x', 'no ":"'],
    ['C:\\pv1*foo', 'no "*"'],
    ['C:\\pv1?foo', 'no "?"'],
    ['C:\\pv1|foo', 'no "|"'],
    ['C:\\pv1"foo', 'no "\\""'],
    ['C:\\pv1<foo', 'no "<"'],
    ['C:\\pv1>foo', 'no ">"'],
    ['C:\\pv1\u0000foo', 'no "\\u0000"'],
    ['C:\\pv1\nfoo', 'no "\\n"'],
    ['C:\\pv1.\\foo', 'drops the end of "pv1."'],
    ['C:\\pv1 \\foo', 'drops the end of "pv1 "'],
    ['C:\\...\\foo', 'drops the end of "..."'],
  ])('%j: %s', (path, why) => {
    let thrown: unknown;
    try {
      windowsPath(path);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'invalid-argument', message: expect.stringContaining(why) });
    expect(thrown).toHaveProperty('message', expect.stringContaining(JSON.stringify(path)));
  });
});
