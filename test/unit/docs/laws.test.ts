import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

interface NamedTest {
  readonly file: string;
  readonly title: string;
}

interface Section {
  readonly law: number;
  /** Each row of its table: one break, and the tests that went red. */
  readonly rows: readonly { readonly broken: string; readonly tests: readonly NamedTest[] }[];
  /** All tests it names, those of the rows included. */
  readonly tests: readonly NamedTest[];
}

const LAWS = Array.from({ length: 12 }, (_, index) => index + 1);
const page = readFileSync('docs/laws.md', 'utf8');
const sections = page
  .split(/^## Law /m)
  .slice(1)
  .map(readSection);

function readSection(text: string): Section {
  const rows = [...text.matchAll(/^\| `src\/.*$/gm)].map(([row]) => row.split('|').slice(1, -1));
  return {
    law: Number.parseInt(text, 10),
    rows: rows.map(([file = '', what = '', wentRed = '', ...more]) => ({
      broken: `${file.trim()}: ${what.trim()}`,
      tests: more.length === 0 ? namedTests(wentRed) : [],
    })),
    tests: namedTests(text),
  };
}

function namedTests(text: string): readonly NamedTest[] {
  return [...text.matchAll(/`(test\/[^`]+)`((?: › `[^`]+`)+)/g)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/`([^`]+)`/g)].map(([, title = '']) => ({ file, title })),
  );
}

/** Whether a file has this title, as a whole text in its source. */
function has({ file, title }: NamedTest): boolean {
  if (!existsSync(file)) return false;
  const source = readFileSync(file, 'utf8').replaceAll("\\'", "'");
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
}

const names = ({ title }: NamedTest, law: number): boolean =>
  [...title.matchAll(/\blaws? (\d+(?:(?:, | and )\d+)*)/g)].some(([, numbers = '']) =>
    numbers.split(/, | and /).includes(String(law)),
  );

describe('docs/laws.md', () => {
  it('has a section for each law, in order', () => {
    expect(sections.map(({ law }) => law)).toEqual(LAWS);
  });

  it.each(sections)(
    'law $law: says what was broken, and which test named after the law went red',
    (section) => {
      expect(section.rows).not.toHaveLength(0);
      expect(section.rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
      const named = section.rows.flatMap(({ tests }) => tests).filter((test) => names(test, section.law));
      expect(named).not.toHaveLength(0);
    },
  );

  it.each(sections)('law $law: names only tests that are there, by their titles', ({ tests }) => {
    expect(tests.filter((test) => !has(test))).toEqual([]);
  });

  it('names only source files that are there', () => {
    const files = [...page.matchAll(/`(src\/[^`]+\.ts)`/g)].map(([, file = '']) => file);
    expect(files).not.toHaveLength(0);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});
