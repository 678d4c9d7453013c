import { readdir } from 'node:fs/promises';
import { afterEach, expect, it, jest } from '@jest/globals';
import { linuxUnderTest } from '../../support/linux-under-test.ts';
import { leftoversBelow } from '../../support/linux-leftovers.ts';
import { ProxiedHost } from '../../support/proxied-host.ts';
import { RealNode } from '../../support/real-node.ts';
import { describeWhere, LINUX_HOST } from '../../support/requires.ts';
import { DISK_BYTES } from '../node/node-life.ts';

jest.setTimeout(60_000);

describeWhere(LINUX_HOST, 'a volume on the Linux host through CSI Proxy', () => {
  let proxied: ProxiedHost | undefined;

  afterEach(async () => {
    await proxied?.cleanup();
    proxied = undefined;
  });

  it.each([
    { versions: 'v1', era: '1.3', sanPolicy: 'offline' },
    { versions: 'v1alpha1', era: '1.2', sanPolicy: 'online' },
  ] as const)('its whole life at $versions', async ({ versions, era, sanPolicy }) => {
    const linux = await linuxUnderTest(sanPolicy);
    proxied = await ProxiedHost.create(linux, { versions, era });
    const node = await RealNode.create(proxied, DISK_BYTES, { kubelet: proxied.kubelet });
    await node.call('NodeStageVolume');
    await node.call('NodePublishVolume');
    await node.write(node.targetPath, 'what the pod wrote');
    await node.call('NodeUnpublishVolume');
    await node.call('NodeUnstageVolume');
    expect(await readdir(node.stagingPath)).toEqual([]);
    expect(leftoversBelow(linux.root).mounts).toEqual([]);

    await proxied.restart();
    await node.restart();
    await node.call('NodeStageVolume');
    await node.call('NodePublishVolume');
    expect(await node.read(node.targetPath)).toBe('what the pod wrote');
    expect(node.formats).toBe(1);
    await node.call('NodeUnpublishVolume');
    await node.call('NodeUnstageVolume');
  });
});
