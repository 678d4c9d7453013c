import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from '@jest/globals';
import { MIB } from '../../../src/core/capacity.ts';
import { messageOf } from '../../../src/core/errors.ts';
import { ALL_PIPES } from '../../../src/proxyapi/api-versions.ts';
import { wireService } from '../../../src/proxyapi/wire-service.ts';
import { describeWhere } from '../../support/requires.ts';
import { KUBELET, ServedMachine } from './served-machine.ts';

const SOURCE = 'test/interop/go';
const folder = mkdtempSync(join(tmpdir(), 'csi-ntfs-go-'));
const program = join(folder, 'interop');

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Builds the client; what is missing when it cannot be built. */
function lackOfClient(): string | undefined {
  const go = ['/usr/local/go/bin/go', '/usr/local/bin/go', '/usr/bin/go'].find((path) => existsSync(path));
  if (go === undefined) return 'needs Go 1.24 or newer: https://go.dev/dl, or apt-get install golang-go';
  try {
    execFileSync(go, ['build', '-o', program, '.'], { cwd: SOURCE, stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `needs the modules of ${SOURCE} (go mod download, once, with a network): ${messageOf(error)}`;
  }
}

interface Outcome {
  readonly code: number;
  readonly details?: string;
  readonly response?: Readonly<Record<string, unknown>>;
}
type Call = readonly [where: string, rpc: string, request?: object];

const run = promisify(execFile);

/** Makes the calls one after the other, each over a connection of its own. */
async function callFromGo(pipeDir: string, calls: readonly Call[]): Promise<readonly Outcome[]> {
  const running = run(program, [pipeDir]);
  const lines = calls.map(([where, rpc, request = {}]) => {
    const [group, version] = where.split(' ');
    return JSON.stringify({ group, version, rpc, request });
  });
  running.child.stdin?.end(lines.join('\n'));
  const { stdout } = await running;
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);
}

/** One call that is to succeed. */
async function askFromGo(pipeDir: string, ...call: Call): Promise<Readonly<Record<string, unknown>>> {
  const [outcome] = await callFromGo(pipeDir, [call]);
  if (outcome?.response === undefined) throw new Error(JSON.stringify([call, outcome]));
  return outcome.response;
}

const ours = (): readonly Call[] =>
  ALL_PIPES.flatMap((pipe) =>
    Object.keys(wireService(pipe)).map((rpc): Call => [`${pipe.group} ${pipe.version}`, rpc]),
  );

describeWhere([lackOfClient], 'a client in Go, made of the original messages', () => {
  it('knows the rpcs that we serve, and no others', async () => {
    const { stdout } = await run(program, ['rpcs']);
    const names = ours().map(([where, rpc]) => `${where} ${rpc}`);
    expect(stdout.trimEnd().split('\n').sort()).toEqual(names.toSorted());
  });

  it('law 5: gets from every rpc of every version an answer that it can read, or UNKNOWN', async () => {
    await ServedMachine.run({}, async ({ pipeDir }) => {
      const calls = ours();
      const outcomes = await callFromGo(pipeDir, calls);
      const odd = outcomes.flatMap(({ code, details }, index) =>
        code === 0 || code === 2 ? [] : [[calls[index]?.slice(0, 2), code, details]],
      );
      expect(outcomes).toHaveLength(calls.length);
      expect(odd).toEqual([]);
    });
  });

  it('has a volume from the blank disk to the mount, by the names of v1', async () => {
    await ServedMachine.run({}, async ({ hands, pipeDir }) => {
      const { page83, serialNumber } = await hands.plugDisk(64n * MIB);
      const ids = { page83, serial_number: serialNumber };
      const { diskIDs } = await askFromGo(pipeDir, 'disk v1', 'ListDiskIDs');
      const disk_number = Number(Object.keys(diskIDs as object)[0]);
      expect(diskIDs).toEqual({ [disk_number]: ids });
      const target_path = `${KUBELET}\\plugins\\go`;
      await askFromGo(pipeDir, 'disk v1', 'PartitionDisk', { disk_number });
      const listed = await askFromGo(pipeDir, 'volume v1', 'ListVolumesOnDisk', { disk_number });
      const [volume_id] = listed['volume_ids'] as readonly string[];
      await askFromGo(pipeDir, 'volume v1', 'FormatVolume', { volume_id });
      await askFromGo(pipeDir, 'filesystem v1', 'Mkdir', { path: target_path });
      await askFromGo(pipeDir, 'volume v1', 'MountVolume', { volume_id, target_path });
      const found = await askFromGo(pipeDir, 'volume v1', 'GetVolumeIDFromTargetPath', { target_path });
      expect(found).toEqual({ volume_id });
      const { total_bytes } = await askFromGo(pipeDir, 'volume v1', 'GetVolumeStats', { volume_id });
      expect(BigInt(total_bytes as string)).toBeGreaterThan(40n * MIB);
    });
  });

  it('reads and writes the fields that moved, by the names of v1beta1 and v1alpha1', async () => {
    await ServedMachine.run({ enforcePathContext: true }, async ({ hands, pipeDir }) => {
      const { page83 } = await hands.plugDisk(64n * MIB);
      const named = await askFromGo(pipeDir, 'disk v1alpha1', 'GetDiskNumberByName', { disk_name: page83 });
      expect(named['disk_number']).toMatch(/^\d+$/);
      const { diskIDs } = await askFromGo(pipeDir, 'disk v1beta1', 'ListDiskIDs');
      expect(diskIDs).toMatchObject({ [named['disk_number'] as string]: { identifiers: { page83 } } });
      const pod = { path: `${KUBELET}\\pods\\go`, context: 'POD' };
      await askFromGo(pipeDir, 'filesystem v1beta1', 'Mkdir', pod);
      await askFromGo(pipeDir, 'filesystem v1alpha1', 'Mkdir', { ...pod, path: `${pod.path}\\below` });
      const there = { error: '', exists: true };
      await expect(askFromGo(pipeDir, 'filesystem v1beta1', 'PathExists', pod)).resolves.toEqual(there);
      await expect(
        askFromGo(pipeDir, 'filesystem v1beta1', 'Rmdir', { ...pod, force: true }),
      ).resolves.toEqual({ error: '' });
      await expect(askFromGo(pipeDir, 'filesystem v1', 'PathExists', { path: pod.path })).resolves.toEqual({
        exists: false,
      });
    });
  });
});
