import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalDisks } from '../support/local-disks.ts';
import { createTarget, type TargetOptions } from '../support/simulated-iscsi-target.ts';
import { createShare } from '../support/simulated-smb-share.ts';
import { GIB } from './bench.ts';
import type { HandChap, HandShare, HandTarget, ShareHands, TargetHands } from './hands.ts';

/** Shares and targets that a simulated host can reach. */
export class SimulatedNetwork implements ShareHands {
  readonly #stateDir: string;
  #disks: LocalDisks | undefined;

  /** `stateDir`: of the host. */
  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  async make(): Promise<HandShare> {
    const username = String.raw`domain\someone`;
    const password = randomUUID();
    const share = await createShare(this.#stateDir, { username, password });
    return {
      remotePath: share.remotePath,
      username,
      password,
      isMapped: () => share.isMapped(),
      write: (name, text) => writeFile(join(share.folder, name), text),
      read: (name) => readFile(join(share.folder, name), 'utf8'),
      remove: () => share.remove(),
    };
  }

  readonly targets: TargetHands = { make: (chap) => this.#makeTarget(chap) };

  async close(): Promise<void> {
    await this.#disks?.cleanup();
  }

  async #makeTarget(chap: HandChap): Promise<HandTarget> {
    this.#disks ??= await LocalDisks.create();
    const target = await createTarget(this.#disks, {
      sizeBytes: GIB,
      stateDir: this.#stateDir,
      ...chapOf(chap),
    });
    return { ...target.portal, iqn: target.iqn, remove: () => target.remove() };
  }
}

function chapOf(chap: HandChap): TargetOptions {
  if (chap.type === 'none') return {};
  const { username, secret } = chap;
  const mutual = chap.type === 'mutual' ? { mutualSecret: chap.initiatorSecret } : {};
  return { chap: { username, secret }, ...mutual };
}
