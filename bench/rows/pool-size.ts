import { grouped, inParallel, medianOf, milliseconds, spreadOf, timed } from '../measure.ts';
import { type Row, verdictOf } from '../table.ts';
import { CAPABILITY } from '../volume.ts';
import type { Driver, Workshop } from '../workshop.ts';

/** Volumes present in each of the three pools. */
const EMPTY = 0;
const SMALL = 1000;
const LARGE = 10_000;
const AIM = 1.2;

const ROUNDS = 300;
const PAGE = 100;
const PAGES = 400;
const FILLERS = 32;
const WARM_UP_VOLUMES = 1500;

interface FilledPool {
  readonly present: number;
  readonly driver: Driver;
}

/**
 * The same calls to three controllers, whose pools hold nothing, some and many volumes: taken in turns, so that
 * whatever else the machine does meanwhile falls on all three.
 */
export async function poolSizeRows(
  workshop: Workshop,
  progress: (line: string) => void,
): Promise<readonly Row[]> {
  for (const present of [SMALL, LARGE]) {
    const driver = await startController(workshop, present);
    await fill(driver, present, progress);
    await driver.stop();
  }
  progress('warming up');
  const pools: FilledPool[] = [];
  for (const present of [EMPTY, SMALL, LARGE]) {
    const driver = await startController(workshop, present);
    await warmUp(driver);
    pools.push({ present, driver });
  }
  progress(`CreateVolume and DeleteVolume, ${ROUNDS} rounds over the three pools`);
  const costs = await createAndDelete(pools);
  progress(`ListVolumes, ${PAGES} pages of ${PAGE} of the two filled pools`);
  const pages = await listPages(pools.filter(({ present }) => present > 0));
  for (const { driver } of pools) await driver.stop();
  return [...createDeleteRows(costs), ...listRows(pages)];
}

async function startController(workshop: Workshop, present: number): Promise<Driver> {
  const home = await workshop.makeFolder(`pool-of-${present}`);
  return workshop.start('controller', home, {
    'attach-dir': `${home}/attach`,
    'pool-dir': `${home}/pool`,
    // The images are sparse: ten thousand empty ones fit on any disk, what they promise does not.
    'overcommit-ratio': '1000',
  });
}

async function fill(driver: Driver, count: number, progress: (line: string) => void): Promise<void> {
  const begin = performance.now();
  await inParallel(FILLERS, count, async (index) => {
    await create(driver, `filler-${index}`);
    if ((index + 1) % 2500 === 0) progress(`filling a pool: ${grouped(index + 1)} of ${grouped(count)}`);
  });
  const seconds = (performance.now() - begin) / 1000;
  progress(`filled a pool with ${grouped(count)} volumes in ${seconds.toFixed(1)} s`);
}

/** All three processes are new and get the same to do, so that none is measured with more compiled code than another. */
async function warmUp(driver: Driver): Promise<void> {
  await inParallel(FILLERS, WARM_UP_VOLUMES, async (index) => {
    await driver.controller.deleteVolume({ volume_id: await create(driver, `warm-up-${index}`) });
  });
}

async function create(driver: Driver, name: string): Promise<string> {
  const { volume } = await driver.controller.createVolume({ name, volume_capabilities: [CAPABILITY] });
  return volume?.volume_id ?? '';
}

interface Cost {
  readonly createMs: number;
  readonly deleteMs: number;
}

/** By volumes present. */
type Costs = ReadonlyMap<number, readonly Cost[]>;

async function createAndDelete(pools: readonly FilledPool[]): Promise<Costs> {
  const costs = new Map(pools.map(({ present }) => [present, [] as Cost[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { present, driver } of rotated(pools, round)) {
      let id = '';
      const createMs = await timed(async () => {
        id = await create(driver, `round-${round}`);
      });
      const deleteMs = await timed(() => driver.controller.deleteVolume({ volume_id: id }));
      costs.get(present)?.push({ createMs, deleteMs });
    }
  }
  return costs;
}

/** None is always the first, or always the one after another. */
function rotated<Element>(elements: readonly Element[], by: number): readonly Element[] {
  const start = by % elements.length;
  const turned = [...elements.slice(start), ...elements.slice(0, start)];
  return Math.floor(by / elements.length) % 2 === 0 ? turned : turned.reverse();
}

function createDeleteRows(costs: Costs): readonly Row[] {
  const bothOf = (present: number): number =>
    medianOf((costs.get(present) ?? []).map(({ createMs, deleteMs }) => createMs + deleteMs));
  const base = bothOf(EMPTY);
  return [...costs].map(([present, samples]) => {
    const ratio = bothOf(present) / base;
    const create = medianOf(samples.map(({ createMs }) => createMs));
    const remove = medianOf(samples.map(({ deleteMs }) => deleteMs));
    const both =
      `median ${milliseconds(bothOf(present))} ` +
      `(create ${milliseconds(create)}, delete ${milliseconds(remove)})`;
    return {
      what: `CreateVolume + DeleteVolume, ${grouped(present)} volumes present`,
      measured: present === EMPTY ? both : `${both}, ${ratio.toFixed(2)} × of 0`,
      aim: present === LARGE ? `≤ ${AIM} × of 0` : '',
      verdict: present === LARGE ? verdictOf(ratio <= AIM) : 'none',
    };
  });
}

/** Milliseconds of each page, by volumes present. */
type Pages = ReadonlyMap<number, readonly number[]>;

async function listPages(pools: readonly FilledPool[]): Promise<Pages> {
  const readers = pools.map(({ present, driver }) => ({
    present,
    token: '',
    driver,
    samples: [] as number[],
  }));
  for (let page = 0; page < PAGES; page++) {
    for (const reader of rotated(readers, page)) {
      const ms = await timed(async () => {
        const { entries, next_token } = await reader.driver.controller.listVolumes({
          max_entries: PAGE,
          starting_token: reader.token,
        });
        if (entries.length !== PAGE) throw new Error(`a page of ${PAGE} volumes has ${entries.length}`);
        reader.token = next_token;
      });
      reader.samples.push(ms);
    }
  }
  return new Map(readers.map(({ present, samples }) => [present, samples]));
}

function listRows(pages: Pages): readonly Row[] {
  const base = medianOf(pages.get(SMALL) ?? []);
  return [...pages].map(([present, samples]) => {
    const { p50, p99 } = spreadOf(samples);
    const times = `p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}`;
    return {
      what: `ListVolumes, ${PAGE} out of ${grouped(present)}`,
      measured: present === SMALL ? times : `${times}, ${(p50 / base).toFixed(2)} × of ${grouped(SMALL)}`,
      aim: '',
      verdict: 'none',
    };
  });
}
