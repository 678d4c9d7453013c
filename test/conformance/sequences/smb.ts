import assert from 'node:assert/strict';
import { type Bench, required } from '../bench.ts';
import type { Sequence } from '../sequence.ts';

export const SMB_SEQUENCES: readonly Sequence[] = [
  {
    id: '17',
    title: 'a share is mapped, used and given up',
    group: 'smb',
    versions: ['v1', 'v1beta2', 'v1beta1', 'v1alpha1'],
    needs: ['shares'],
    run: mapsShare,
  },
];

async function mapsShare(bench: Bench, version: string): Promise<void> {
  const share = await required(bench.hands.shares).make();
  bench.later(() => share.remove());
  const { remotePath, username, password } = share;
  await bench.call('smb', version, 'NewSmbGlobalMapping', { remote_path: remotePath, username, password });
  assert.equal(await share.isMapped(), true, 'the host after NewSmbGlobalMapping');
  await share.write('hello.txt', 'hello');
  assert.equal(await share.read('hello.txt'), 'hello');
  await bench.call('smb', version, 'RemoveSmbGlobalMapping', { remote_path: remotePath });
  assert.equal(await share.isMapped(), false, 'the host after RemoveSmbGlobalMapping');
  const gone = await bench.fails('smb', version, 'RemoveSmbGlobalMapping', { remote_path: remotePath });
  assert.ok(!gone.details.includes(password), 'law 9: the password is in the error');
}
