import assert from 'node:assert/strict';
import type { Bench } from '../bench.ts';
import { FileDialect } from '../file-dialect.ts';
import type { Sequence } from '../sequence.ts';
import { FILESYSTEM_VERSIONS } from './filesystem.ts';

/** Which paths a server takes: none but those below its working folders, in Windows' form. */
export const PATH_SEQUENCES: readonly Sequence[] = [
  {
    id: 'path',
    title: 'paths outside of the working folders and malformed ones are refused',
    group: 'filesystem',
    versions: FILESYSTEM_VERSIONS,
    needs: [],
    run: refusesPaths,
  },
];

const TOO_LONG = 'x'.repeat(261);

async function refusesPaths(bench: Bench, version: string): Promise<void> {
  const files = new FileDialect(bench, version);
  const { kubeletPath } = bench.options;
  for (const good of ['pods\\pv1', 'plugins\\pv1']) {
    assert.equal(await files.exists(`${kubeletPath}\\${good}-of-nobody`), false);
  }
  const below = ['pv1:foo', 'pv1/foo', 'pv1*foo', 'pv1?foo', 'csi-plugin|pv1\\foo', 'pv1"foo', TOO_LONG];
  const bad = [
    ...below.map((name) => `${kubeletPath}\\plugins\\${name}`),
    `${kubeletPath}\\plugins\\pv1\\..\\..\\..\\system32`,
    '\\\\csi-plugin\\..\\..\\..\\system32',
    'C:\\foo\\bar',
    'pv1\\foo',
    '',
  ];
  for (const path of bad) {
    await bench.fails('filesystem', version, 'PathExists', files.at(path));
    await bench.fails('filesystem', version, 'Mkdir', files.at(path));
    await bench.fails('filesystem', version, 'Rmdir', { ...files.at(path), force: true });
  }
}
