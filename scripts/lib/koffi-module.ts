import { readFile } from 'node:fs/promises';
import type { Platform } from './node-binaries.ts';
import { npmFile } from './npm-file.ts';

/** How Node.js names each platform (`process.platform`), which is how koffi names its packages. */
const SYSTEM: Readonly<Record<Platform, string>> = { 'win-x64': 'win32', 'linux-x64': 'linux' };

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly integrity: string } | undefined>
  >;
}

export interface KoffiModule {
  /** As `src/transport/koffi.ts` asks for it. */
  readonly name: string;
  readonly path: string;
}

/** koffi's native module for a platform, of the release in package-lock.json: npm installs only this machine's. */
export async function koffiModule(platform: Platform): Promise<KoffiModule> {
  const system = SYSTEM[platform];
  const name = `@koromix/koffi-${system}-x64`;
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as Lock;
  const locked = packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`package-lock.json has no ${name}: run npm install`);
  const { version, integrity } = locked;
  const path = await npmFile({
    name: `${name}@${version}`,
    integrity,
    path: `package/${system}_x64/koffi.node`,
  });
  return { name: `koffi-${system}-x64.node`, path };
}
