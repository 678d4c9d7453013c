import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { loadKoffi } from '../../../src/transport/koffi.ts';

const { platform, arch } = process;
const NATIVE = `koffi-${platform}-${arch}.node`;
const INSTALLED = `node_modules/@koromix/koffi-${platform}-${arch}/${platform}_${arch}/koffi.node`;

async function inFolder(test: (folder: string, script: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'csi-koffi-'));
  try {
    const script = join(folder, 'driver.cjs');
    await writeFile(script, '');
    await test(folder, script);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('loadKoffi', () => {
  it('takes the package where it is installed', () => {
    expect(loadKoffi().version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('takes the native module beside the bundle where there is no package', async () => {
    await inFolder(async (folder, script) => {
      await copyFile(INSTALLED, join(folder, NATIVE));
      expect(typeof loadKoffi(script).load).toBe('function');
    });
  });

  it('takes what is packed into the single executable', async () => {
    await inFolder((_folder, script) => {
      const packed = (name: string): Uint8Array | undefined =>
        name === NATIVE ? readFileSync(INSTALLED) : undefined;
      expect(typeof loadKoffi(script, packed).load).toBe('function');
      return Promise.resolve();
    });
  });

  it('says where a packed one is loaded from when that fails', async () => {
    await inFolder((_folder, script) => {
      expect(() => loadKoffi(script, () => Buffer.from('no library'))).toThrow(/TMPDIR \(on Windows TEMP\)/);
      return Promise.resolve();
    });
  });

  it('says what is missing and where to put it', async () => {
    await inFolder((_folder, script) => {
      expect(() => loadKoffi(script)).toThrow(`put ${NATIVE} beside ${script}, or run npm ci`);
      return Promise.resolve();
    });
  });
});
