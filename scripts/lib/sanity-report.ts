import { readFile } from 'node:fs/promises';

/** One spec of csi-sanity and how it ended: `passed`, `failed`, `skipped`, `pending`, `panicked`, … */
export interface Spec {
  readonly name: string;
  readonly state: string;
}

/** A spec that is not to run, with its reason. `leaveOutOf`: this release, or this host, must be told so; others run it. */
interface ExpectedSkip {
  readonly spec: string;
  readonly reason: string;
  readonly leaveOutOf?: string;
}

interface GinkgoSuite {
  readonly SpecReports: readonly {
    readonly ContainerHierarchyTexts: readonly string[] | null;
    readonly LeafNodeText: string;
    readonly State: string;
  }[];
}

export async function readReport(path: string): Promise<readonly Spec[]> {
  const suites = JSON.parse(await readFile(path, 'utf8')) as readonly GinkgoSuite[];
  return suites
    .flatMap((suite) => suite.SpecReports)
    .filter((spec) => spec.LeafNodeText !== '')
    .map((spec) => ({
      name: [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' > '),
      state: spec.State,
    }));
}

/** The skips that are expected of one release of csi-sanity on one host. */
export async function expectedSkips(version: string, host: string): Promise<readonly ExpectedSkip[]> {
  const { skips } = JSON.parse(await readFile('test/sanity/expected-skips.json', 'utf8')) as {
    readonly skips: readonly ExpectedSkip[];
  };
  return skips.filter(({ leaveOutOf }) => leaveOutOf === undefined || [version, host].includes(leaveOutOf));
}

/** A regular expression for the specs that must be left out by name; empty when there is none. */
export const skipPattern = (skips: readonly ExpectedSkip[]): string =>
  skips
    .filter(({ leaveOutOf }) => leaveOutOf !== undefined)
    .map(({ spec }) => spec.replaceAll(' > ', ' ').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|');

/** Skips that are not expected, and expected ones that ran. */
export function skipComplaints(specs: readonly Spec[], expected: readonly ExpectedSkip[]): string[] {
  const skipped = specs.filter(isSkipped).map(({ name }) => name);
  const wanted = expected.map(({ spec }) => spec);
  const known = new Set(specs.map(({ name }) => name));
  return [
    ...skipped.filter((name) => !wanted.includes(name)).map((name) => `skipped, but not expected: ${name}`),
    ...wanted
      .filter((name) => known.has(name) && !skipped.includes(name))
      .map((name) => `expected to be skipped, but ran: ${name}`),
  ];
}

export const isSkipped = ({ state }: Spec): boolean => state === 'skipped' || state === 'pending';
