import { mkdir, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { messageOf } from '../../../src/core/errors.ts';
import { asDiskNumber, hostVolumeIdOf } from '../../../src/core/ids.ts';
import { ProxiedHost } from '../../support/proxied-host.ts';
import { simulatedHost } from '../../support/simulated-host.ts';
import { describeNodeLife } from '../node/node-life.ts';
import { type ProxiedNode, proxiedNode } from './proxied-node.ts';

const SIGNAL = new AbortController().signal;
const ERAS = ['1.2', '1.3'] as const;

describe('law 5: the node is the same, whatever the server says when it fails', () => {
  for (const era of ERAS) {
    describeNodeLife(`simulated, through CSI Proxy ${era},`, async () =>
      ProxiedHost.create(await simulatedHost(), { versions: 'v1', era }),
    );
  }

  const open: ProxiedNode[] = [];
  afterEach(async () => {
    for (const { proxied } of open.splice(0)) await proxied.cleanup();
  });

  /** The words of one server for what goes wrong, without the paths of this machine. */
  async function textsOf(era: (typeof ERAS)[number]): Promise<readonly string[]> {
    const made = await proxiedNode({ versions: era, era });
    open.push(made);
    const { host, kubelet } = made.proxied;
    const plain = join(kubelet, 'plugins', 'plain');
    await mkdir(plain);
    const nobody = hostVolumeIdOf('00000000-0000-4000-8000-000000000000');
    const calls = [
      host.disks.getDiskStats(asDiskNumber(99), SIGNAL),
      host.volumes.getVolumeStats(nobody, SIGNAL),
      host.volumes.formatVolume(nobody, SIGNAL),
      host.volumes.mountVolume(nobody, plain, SIGNAL),
      host.volumes.getVolumeIdFromTargetPath(plain, SIGNAL),
      host.files.isSymlink(join(plain, 'missing'), SIGNAL),
    ];
    const outcomes = await Promise.allSettled(calls);
    return outcomes.map((outcome) => {
      if (outcome.status === 'fulfilled') throw new Error('a call succeeds that cannot');
      return messageOf(outcome.reason).replaceAll(kubelet.replaceAll('/', '\\'), '').replaceAll(kubelet, '');
    });
  }

  it('law 5: the eras differ in the texts of what fails', async () => {
    const [old, recent] = [await textsOf('1.2'), await textsOf('1.3')];
    const same = old.filter((text, index) => text === recent[index]);
    expect(same).toEqual([]);
  });

  it.each(ERAS)('law 5: a missing path is made, whatever CSI Proxy %s says of it', async (era) => {
    const made = await proxiedNode({ versions: 'v1', era });
    open.push(made);
    const { node } = made;
    await rmdir(node.stagingPath);
    await node.call('NodeStageVolume');
    await rmdir(dirname(node.targetPath));
    await node.call('NodePublishVolume');
    await node.write(node.targetPath, 'kept');
    await node.call('NodeUnpublishVolume');
    await node.call('NodeUnstageVolume');
    await rmdir(node.stagingPath);
    await node.call('NodeUnstageVolume');
    await node.call('NodeStageVolume');
    expect(await node.read(node.stagingPath)).toBe('kept');
    expect(node.formats).toBe(1);
  });
});
