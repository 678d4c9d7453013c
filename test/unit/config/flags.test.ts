import { describe, expect, it } from '@jest/globals';
import { environmentVariable, type Flag, type FlagKey, FLAGS } from '../../../src/config/flags.ts';
import { MODE_FLAGS } from '../../../src/config/modes.ts';

const flags: readonly (readonly [name: string, flag: Flag<unknown>])[] = Object.values(FLAGS).map((flag) => [
  flag.name,
  flag,
]);

describe('the flag table', () => {
  it.each(flags)('--%s has a default that it accepts itself', (_name, flag) => {
    expect(() => flag.parse(flag.default)).not.toThrow();
  });

  it.each(flags)('--%s says its unit where it has one', (_name, flag) => {
    const needsUnit = flag.name.endsWith('-seconds');
    expect(flag.help.includes('in seconds')).toBe(needsUnit);
  });

  it('names every flag and every environment variable once', () => {
    const names = flags.map(([name]) => name);
    const variables = names.map(environmentVariable);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(variables).size).toBe(variables.length);
  });

  it('uses every flag in some mode, and no mode names one twice', () => {
    const used: readonly FlagKey[] = Object.values(MODE_FLAGS).flat();
    expect(new Set(used)).toEqual(new Set(Object.keys(FLAGS)));
    for (const keys of Object.values(MODE_FLAGS)) expect(new Set(keys).size).toBe(keys.length);
  });
});
