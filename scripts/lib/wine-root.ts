import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { run } from './run.ts';

/** The first Wine that runs Node.js 24 is 10; Debian 12, which this machine may be, has 8. */
const SUITE = 'trixie';
const FOLDER = resolve('.cache', `wine-${SUITE}`);

/**
 * Makes what is mounted for a run of its own: when the last process of it ends, however, the kernel unmounts. `$1` is
 * the folder with Wine.
 */
const MOUNTS = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev"';
export const NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child'] as const;
/** A clean environment: Wine hands its whole own one to Windows programs. */
export const WINE_ENV = [
  'env',
  '-i',
  'HOME=/root',
  'PATH=/usr/bin:/bin',
  'XDG_RUNTIME_DIR=/tmp',
  'WINEDEBUG=-all',
];
const HEARTBEAT_MS = 15_000;

/** Folder of a Debian with Wine in it, set up for a user; made when it is missing (about 75 s, 1.4 GB in `.cache`). */
export async function wineRoot(): Promise<string> {
  if (await isThere(FOLDER)) return FOLDER;
  await requireMeans();
  await mkdir('.cache', { recursive: true });
  const draft = await mkdtemp(`${FOLDER}-`);
  try {
    await step(`fetching Debian ${SUITE} with Wine`, [
      ...['unshare', '--mount', 'debootstrap', '--variant=minbase', '--include=wine,wine64,ca-certificates'],
      ...[SUITE, draft],
    ]);
    await step('setting Wine up', [
      ...['unshare', ...NAMESPACES, 'sh', '-c', `${MOUNTS} && exec chroot "$@"`, 'sh', draft],
      ...[...WINE_ENV, 'sh', '-c', 'wineboot --init && wineserver --wait'],
    ]);
    await rename(draft, FOLDER);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return FOLDER;
}

/** What a session runs in its namespaces: mounts, then lives until its standard input ends. */
export const SESSION_SCRIPT = [
  MOUNTS,
  'mkdir -p "$1/driver" "$1/work" && mount --rbind --make-private "$2" "$1/driver"',
  'mount --bind "$3" "$1/work"',
  'echo ready; read _',
].join(' && ');

async function requireMeans(): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error('Wine is run in a chroot, which needs root: run it with sudo');
  const { code } = await run('sh', ['-c', 'command -v debootstrap']);
  if (code !== 0)
    throw new Error('Wine is fetched by debootstrap, which is not here: apt-get install debootstrap');
}

/** Says every now and then that it goes on; when it fails, the end of what was printed. */
async function step(name: string, [program = '', ...args]: readonly string[]): Promise<void> {
  const begun = Date.now();
  const seconds = (): string => ((Date.now() - begun) / 1000).toFixed(0);
  console.log(`${name} (once) …`);
  const heartbeat = setInterval(() => {
    console.log(`${name}: ${seconds()} s`);
  }, HEARTBEAT_MS);
  const { code, output } = await run(program, args).finally(() => {
    clearInterval(heartbeat);
  });
  if (code !== 0) {
    const end = output.trimEnd().split('\n').slice(-15).join('\n');
    throw new Error(`${name} failed: is a mirror of Debian in reach, and 2 GB free?\n${end}`);
  }
  console.log(`${name}: done after ${seconds()} s`);
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
