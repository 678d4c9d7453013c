import { describe, expect, it } from '@jest/globals';
import { runCommand } from '../../../../src/hosts/linux/command.ts';

describe('runCommand', () => {
  it('gives what the tool printed', async () => {
    await expect(runCommand('speak', 'echo', ['a  b'])).resolves.toBe('a  b\n');
  });

  it('hands arguments over as they are: no shell reads them', async () => {
    await expect(runCommand('speak', 'echo', ['$(id); rm *'])).resolves.toBe('$(id); rm *\n');
  });

  it('says what was tried, and the complaint of the tool in one short line', async () => {
    const failed = runCommand('list it', 'ls', ['--', '/no/such/path']);
    await expect(failed).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringMatching(/^cannot list it: ls failed \(2\): ls: .*No such file or directory$/),
    });
  });

  it('speaks English whatever the language of the machine', async () => {
    await expect(runCommand('look', 'env', [])).resolves.toMatch(/^LC_ALL=C$/m);
  });

  it('names the package of a missing tool', async () => {
    await expect(runCommand('format', 'mkfs.no-such-tool', [])).rejects.toMatchObject({
      code: 'failed-precondition',
      message: 'cannot format: mkfs.no-such-tool is not installed: apt-get install mkfs.no-such-tool',
    });
  });
});
