import { describe, expect, it } from '@jest/globals';
import { createLogger, type LogFormat, type LogLevel } from '../../../src/telemetry/logger.ts';
import type { Logger } from '../../../src/core/ports/logger.ts';

function written(level: LogLevel, format: LogFormat, use: (log: Logger) => void): string {
  let text = '';
  use(createLogger({ level, format, destination: { write: (line) => void (text += line) } }));
  return text;
}

describe('createLogger', () => {
  it('writes one JSON object per line, with the fields of its parents', () => {
    const text = written('info', 'json', (log) => {
      log.child({ component: 'node' }).child({ call: 'c0ffee' }).info({ volume: 'vol-1' }, 'staged');
    });
    expect(text.endsWith('\n')).toBe(true);
    expect(JSON.parse(text)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      component: 'node',
      call: 'c0ffee',
      volume: 'vol-1',
      msg: 'staged',
    });
  });

  it.each<[LogLevel, string]>([
    ['debug', 'debug info warn error'],
    ['info', 'info warn error'],
    ['warn', 'warn error'],
    ['error', 'error'],
    ['silent', ''],
  ])('at level %s writes %s', (level, expected) => {
    const text = written(level, 'json', (log) => {
      for (const each of ['debug', 'info', 'warn', 'error'] as const) log[each]({}, each);
    });
    const levels = text.split('\n').filter((line) => line !== '');
    expect(levels.map((line) => (JSON.parse(line) as { level: string }).level).join(' ')).toBe(expected);
  });

  it('writes an error with its stack and its cause', () => {
    const err = new Error('outer', { cause: new Error('inner') });
    const text = written('info', 'json', (log) => {
      log.error({ err }, 'failed');
    });
    const record = JSON.parse(text) as { err: { message: string; stack: string } };
    expect(record.err.message).toBe('outer: inner');
    expect(record.err.stack).toMatch(/outer[^]*caused by: Error: inner/);
  });

  it('writes for a person when asked to', () => {
    const text = written('debug', 'pretty', (log) => {
      log.child({ component: 'node' }).warn({ volume: 'vol-1', sizes: [1, 2] }, 'found a dangling mount');
    });
    expect(text).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} WARN {2}node {7}found a dangling mount volume=vol-1 sizes=\[1,2\]\n$/,
    );
  });
});
