import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { type DriverProcess, startDriver } from '../../../src/app/demo/driver-process.ts';
import { DISK_RECORD_SUFFIX } from '../../../src/core/attach-folder.ts';
import { connectCsi } from '../../../src/rpc/csi-client.ts';
import { builtDriver } from '../../support/built-driver.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

const NODE = 'node-1';
const CAPABILITY = { mount: { fs_type: 'ntfs' }, access_mode: { mode: 'SINGLE_NODE_WRITER' } } as const;

async function start(folder: string): Promise<DriverProcess> {
  return startDriver({
    program: [process.execPath, await builtDriver()],
    mode: 'all',
    flags: {
      endpoint: `unix://${folder}/csi.sock`,
      host: 'simulated',
      'node-id': NODE,
      'pool-dir': join(folder, 'pool'),
      'attach-dir': join(folder, 'attach'),
      'state-dir': join(folder, 'state'),
    },
    logFile: join(folder, 'driver.log'),
  });
}

/** Brings a new volume to a pod, and gives its id. */
async function publish(folder: string, staging: string, target: string): Promise<string> {
  const csi = connectCsi(`unix://${folder}/csi.sock`);
  try {
    const { volume } = await csi.controller.createVolume({ name: 'pvc', volume_capabilities: [CAPABILITY] });
    const volume_id = volume?.volume_id ?? '';
    const ofPod = { volume_id, volume_capability: CAPABILITY };
    const { publish_context } = await csi.controller.controllerPublishVolume({ ...ofPod, node_id: NODE });
    const staged = { ...ofPod, publish_context, staging_target_path: staging };
    await csi.node.nodeStageVolume(staged);
    await csi.node.nodePublishVolume({ ...staged, target_path: target });
    return volume_id;
  } finally {
    csi.close();
  }
}

it('law 12: a driver that starts clears the mount and the pod link that an earlier one left dangling', async () => {
  await inTempFolder(async (folder) => {
    const staging = join(folder, 'globalmount');
    const target = join(folder, 'pod');
    await mkdir(staging);
    let driver = await start(folder);
    try {
      const volumeId = await publish(folder, staging, target);
      expect((await lstat(staging)).isSymbolicLink()).toBe(true);
      await driver.kill();
      await rm(join(folder, 'attach', NODE, `${volumeId}${DISK_RECORD_SUFFIX}`));
      driver = await start(folder);
      await expect(lstat(staging)).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(lstat(target)).rejects.toMatchObject({ code: 'ENOENT' });
    } finally {
      await driver.kill();
    }
  });
}, 60_000);
