import { describe, expect, it } from '@jest/globals';
import { serverText } from '../../../src/proxyclient/server-text.ts';

describe('the text of a server', () => {
  it('is one line of bounded length', () => {
    expect(serverText(' Get-Disk :\r\n\tno\u0007 such\u001b[31m disk \n', [])).toBe(
      'Get-Disk : no such [31m disk',
    );
    expect(serverText('x'.repeat(5000), []).length).toBeLessThan(500);
    expect(serverText(' \n', [])).toBe('it gave no reason');
  });

  it.each([
    ['plain', 'secret'],
    ['with quotes as PowerShell doubles them', "it''s"],
    ['with escapes as Go writes them', 'a\\"b\\\\c'],
  ])('law 9: holds no secret, %s', (_how, quoted) => {
    const secrets = ['secret', "it's", 'a"b\\c', ''];
    expect(serverText(`-Password '${quoted}' failed`, secrets)).toBe("-Password '***' failed");
  });

  it('law 9: a secret goes whole, also when another is a part of it, or the text is cut there', () => {
    expect(serverText('pw=abcdef', ['abc', 'abcdef'])).toBe('pw=***');
    expect(serverText(`${'x'.repeat(396)}hunter2`, ['hunter2'])).not.toContain('hun');
  });
});
