/** Fields with a place of their own in the line, or of interest to machines only. */
const PLACED: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'component', 'service', 'method']);

/** One JSON log line for a person: `12:34:56.789 INFO  node  NodeStageVolume OK  durationMs=12 request={…}`. */
export function prettyLine(json: string): string {
  const record = parse(json);
  if (record === undefined) return json;
  const fields = Object.entries(record).filter(([name]) => !PLACED.has(name));
  const { single, multi } = split(fields);
  const head = [
    timeOf(record['time'] ?? ''),
    textOf(record['level'] ?? '')
      .toUpperCase()
      .padEnd(5),
  ];
  if (record['component'] !== undefined) head.push(textOf(record['component']).padEnd(10));
  const tail = single.map(([name, value]) => `${name}=${textOf(value)}`);
  const first = [...head, textOf(record['msg'] ?? ''), ...tail].join(' ');
  const blocks = multi.map(([name, text]) => `    ${name}: ${text.replaceAll('\n', '\n    ')}\n`);
  return `${first}\n${blocks.join('')}`;
}

function parse(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Texts of several lines, stacks above all, go below the line. An Error's fields are folded into its stack. */
function split(fields: readonly [string, unknown][]): {
  readonly single: readonly [string, unknown][];
  readonly multi: readonly [string, string][];
} {
  const unfolded = fields.map(([name, value]): [string, unknown] => [name, stackOf(value) ?? value]);
  const isMulti = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === 'string' && entry[1].includes('\n');
  return { single: unfolded.filter((entry) => !isMulti(entry)), multi: unfolded.filter(isMulti) };
}

function stackOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('stack' in value)) return undefined;
  return typeof value.stack === 'string' ? value.stack : undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The time of day; the date is known to who looks at a terminal. */
const timeOf = (time: unknown): string => textOf(time).replace(/^.*T(.*)Z$/, '$1');
