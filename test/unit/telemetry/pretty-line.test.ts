import { describe, expect, it } from '@jest/globals';
import { prettyLine } from '../../../src/telemetry/pretty-line.ts';

const line = (fields: object): string =>
  prettyLine(JSON.stringify({ level: 'info', time: '2026-01-02T03:04:05.678Z', msg: 'hello', ...fields }));

describe('prettyLine', () => {
  it.each([
    [{}, '03:04:05.678 INFO  hello\n'],
    [{ component: 'rpc' }, '03:04:05.678 INFO  rpc        hello\n'],
    [{ code: 'OK', durationMs: 1.5 }, '03:04:05.678 INFO  hello code=OK durationMs=1.5\n'],
    [{ request: { name: 'pvc 1' } }, '03:04:05.678 INFO  hello request={"name":"pvc 1"}\n'],
    [{ cause: 'Error: x\n  at y' }, '03:04:05.678 INFO  hello\n    cause: Error: x\n      at y\n'],
    [
      { err: { message: 'x', stack: 'Error: x\n  at y' } },
      '03:04:05.678 INFO  hello\n    err: Error: x\n      at y\n',
    ],
    [{ nothing: null }, '03:04:05.678 INFO  hello nothing=null\n'],
  ])('shows %j', (fields, text) => {
    expect(line(fields)).toBe(text);
  });

  it.each(['not json\n', '7', 'null', ''])('passes on %j, which is no record', (text) => {
    expect(prettyLine(text)).toBe(text);
  });

  it('bears a record without the usual fields', () => {
    expect(prettyLine('{"a":1}')).toContain('a=1');
  });
});
