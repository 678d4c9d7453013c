import assert from 'node:assert/strict';
import type { Bench } from '../bench.ts';
import { FileDialect } from '../file-dialect.ts';
import type { Sequence } from '../sequence.ts';

export const FILESYSTEM_VERSIONS = ['v2alpha1', 'v1', 'v1beta2', 'v1beta1', 'v1alpha1'];

export const FILESYSTEM_SEQUENCES: readonly Sequence[] = [
  {
    id: '13',
    title: 'folders and a link come and go',
    group: 'filesystem',
    versions: FILESYSTEM_VERSIONS,
    needs: [],
    run: comesAndGoes,
  },
  {
    id: '14',
    title: 'what is a link, what is none, what dangles',
    group: 'filesystem',
    versions: FILESYSTEM_VERSIONS,
    needs: [],
    run: knowsLinks,
  },
  {
    id: '15',
    title: 'a folder is emptied and stays',
    group: 'filesystem',
    versions: ['v2alpha1'],
    needs: [],
    run: empties,
  },
  {
    id: '16',
    title: 'emptying a folder follows no link',
    group: 'filesystem',
    versions: ['v2alpha1'],
    needs: [],
    run: emptiesThroughNoLink,
  },
];

async function comesAndGoes(bench: Bench, version: string): Promise<void> {
  const files = new FileDialect(bench, version);
  const stage = bench.path('plugins', 'volume1');
  const pod = bench.path('pods', 'volumes', 'kubernetes.io~csi', 'pvc-test1');
  assert.equal(await files.exists(stage), false);
  for (const folder of [stage, pod]) {
    await files.mkdir(folder);
    assert.equal(await files.exists(folder), true);
    await files.mkdir(folder);
  }
  await files.link(stage, `${pod}\\rootvol`);
  assert.equal(await files.exists(`${pod}\\rootvol`), true);
  await bench.hands.files.write(`${stage}\\data`, 'behind the link');
  await files.rmdir(pod, true);
  assert.equal(await files.exists(pod), false);
  assert.equal(await bench.hands.files.read(`${stage}\\data`), 'behind the link');
  await bench.fails('filesystem', version, 'Rmdir', { ...files.at(stage), force: false });
  await files.rmdir(stage, true);
  assert.equal(await files.exists(stage), false);
}

async function knowsLinks(bench: Bench, version: string): Promise<void> {
  const files = new FileDialect(bench, version);
  const folder = bench.path('plugins', 'source');
  const link = bench.path('pods', 'link');
  await files.failsSymlink(folder);
  await files.mkdir(folder);
  assert.equal(await files.isSymlink(folder), false, 'a plain folder');
  await files.mkdir(link.slice(0, link.lastIndexOf('\\')));
  await files.link(folder, link);
  assert.equal(await files.isSymlink(link), true, 'a link to a folder');
  await files.rmdir(folder, true);
  assert.equal(await files.isSymlink(link), false, 'a link to nothing');
  assert.equal(await files.exists(link), true, 'a link to nothing is there');
}

async function empties(bench: Bench, version: string): Promise<void> {
  const files = new FileDialect(bench, version);
  const root = bench.path('plugins', 'root');
  for (const branch of ['foo\\goo', 'foo\\bar\\baz', 'alpha\\beta\\gamma']) {
    await files.mkdir(`${root}\\${branch}`);
  }
  await files.rmdirContents(root);
  assert.equal(await files.exists(root), true);
  for (const child of ['foo', 'alpha']) assert.equal(await files.exists(`${root}\\${child}`), false, child);
}

async function emptiesThroughNoLink(bench: Bench, version: string): Promise<void> {
  const files = new FileDialect(bench, version);
  const inside = bench.path('plugins', 'inside');
  const outside = bench.path('plugins', 'outside');
  await files.mkdir(inside);
  await files.mkdir(outside);
  await bench.hands.files.write(`${outside}\\target`, 'kept');
  await bench.hands.files.link(outside, `${inside}\\source`);
  await files.rmdirContents(inside);
  assert.equal(await files.exists(`${inside}\\source`), false);
  assert.equal(await bench.hands.files.read(`${outside}\\target`), 'kept');
}
