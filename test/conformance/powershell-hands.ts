import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { HandChap, HandDisk, Hands, HandService, HandShare, HandTarget } from './hands.ts';
import { localFiles } from './local-files.ts';
import {
  BIOS_SERIAL_NUMBER,
  CHAP_TARGET,
  DISK_IS_ONLINE,
  DISK_SET_ONLINE,
  MAKE_DISK,
  MAKE_SHARE,
  MAKE_TARGET,
  REMOVE_DISK,
  REMOVE_SHARE,
  REMOVE_TARGET,
  RESIZE_DISK,
  SERVICE_STATE,
  SERVICE_STOP,
  SHARE_IS_MAPPED,
  SHARE_READ,
  SHARE_WRITE,
  SYSTEM_VOLUME,
} from './powershell-scripts.ts';

type Values = Readonly<Record<string, string>>;

/** Makes names that are used once. */
function namer(): () => string {
  let made = 0;
  return () => `csiconf${process.pid}x${++made}`;
}

/**
 * Hands on a Windows machine, through PowerShell: Hyper-V for disks, the SMB server for shares, the iSCSI target server
 * for targets. Needs an elevated user. `folder` takes the virtual disks.
 */
export function powershellHands(folder: string): Hands {
  const name = namer();
  return {
    lacks: {},
    files: localFiles(undefined),
    disks: { make: (sizeBytes, prepared) => makeDisk(join(folder, `${name()}.vhdx`), sizeBytes, prepared) },
    shares: { make: () => makeShare(name(), folder) },
    services: {
      state: async (service) => serviceOf(await run(SERVICE_STATE, { name: service })),
      stop: async (service) => {
        await run(SERVICE_STOP, { name: service });
      },
    },
    targets: { make: (chap) => makeTarget(name(), folder, chap) },
    systemVolume: () => textOf(SYSTEM_VOLUME),
    biosSerialNumber: () => textOf(BIOS_SERIAL_NUMBER),
    close: () => Promise.resolve(),
  };
}

async function makeDisk(path: string, sizeBytes: bigint, prepared: string): Promise<HandDisk> {
  const { number } = await run(MAKE_DISK, { path, size: `${sizeBytes}`, prepared });
  const disk = { number: String(number) };
  return {
    number: Number(number),
    resize: async (bytes) => {
      await run(RESIZE_DISK, { path, size: `${bytes}` });
    },
    setOnline: async (online) => {
      await run(DISK_SET_ONLINE, { ...disk, online: String(online) });
    },
    isOnline: async () => (await run(DISK_IS_ONLINE, disk))['online'] === true,
    remove: async () => {
      await run(REMOVE_DISK, { path });
    },
  };
}

async function makeShare(name: string, folder: string): Promise<HandShare> {
  const secret = { username: name, password: `Aa1!${name}` };
  const { remotePath, account } = await run(MAKE_SHARE, { name, folder, ...secret });
  const share = { path: String(remotePath) };
  return {
    remotePath: share.path,
    username: String(account),
    password: secret.password,
    isMapped: async () => (await run(SHARE_IS_MAPPED, share))['mapped'] === true,
    write: async (file, text) => {
      await run(SHARE_WRITE, { ...share, file, text });
    },
    read: async (file) => String((await run(SHARE_READ, { ...share, file }))['text']),
    remove: async () => {
      await run(REMOVE_SHARE, { name, folder });
    },
  };
}

async function makeTarget(name: string, folder: string, chap: HandChap): Promise<HandTarget> {
  const { iqn } = await run(MAKE_TARGET, { name, folder });
  if (chap.type !== 'none') {
    const { username, secret } = chap;
    const initiatorSecret = chap.type === 'mutual' ? chap.initiatorSecret : '';
    await run(CHAP_TARGET, { name, username, secret, initiatorSecret });
  }
  return {
    address: '127.0.0.1',
    port: 3260,
    iqn: String(iqn),
    remove: async () => {
      await run(REMOVE_TARGET, { name, folder, iqn: String(iqn) });
    },
  };
}

/** In the words of the API: `StartPending` is `START_PENDING` there. */
function serviceOf({ displayName, startType, status }: Readonly<Record<string, unknown>>): HandService {
  const words = (text: unknown): string =>
    String(text)
      .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
      .toUpperCase();
  return { displayName: String(displayName), startType: words(startType), status: words(status) };
}

const textOf = async (script: string): Promise<string> => String((await run(script, {}))['text']);

/** Runs a constant script; values reach it only through its environment, so that no value can be taken for code. */
async function run(script: string, values: Values): Promise<Readonly<Record<string, unknown>>> {
  const env = Object.fromEntries(Object.entries(values).map(([key, value]) => [`CONFORMANCE_${key}`, value]));
  const child = spawn('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`a hand of this machine failed: ${errors.trim() || output.trim()}`);
  return output.trim() === '' ? {} : (JSON.parse(output) as Readonly<Record<string, unknown>>);
}
