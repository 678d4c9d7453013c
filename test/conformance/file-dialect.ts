import type { Bench } from './bench.ts';
import type { Fields, WireError } from './wire.ts';

/** The filesystem group in the words of one version. */
export class FileDialect {
  readonly #bench: Bench;
  readonly #version: string;

  constructor(bench: Bench, version: string) {
    this.#bench = bench;
    this.#version = version;
  }

  get #isNew(): boolean {
    return ['v2alpha1', 'v1', 'v1beta2'].includes(this.#version);
  }

  get isSymlinkName(): string {
    return this.#isNew ? 'IsSymlink' : 'IsMountPoint';
  }

  get linkName(): string {
    return this.#isNew ? 'CreateSymlink' : 'LinkPath';
  }

  /** Servers before 1.0 want to know whose path it is. */
  at(path: string): Fields {
    if (this.#isNew) return { path };
    return {
      path,
      context: path.startsWith(`${this.#bench.options.kubeletPath}\\pods\\`) ? 'POD' : 'PLUGIN',
    };
  }

  async exists(path: string): Promise<boolean> {
    return (await this.#call('PathExists', this.at(path)))['exists'] === true;
  }

  async mkdir(path: string): Promise<void> {
    await this.#call('Mkdir', this.at(path));
  }

  async rmdir(path: string, force: boolean): Promise<void> {
    await this.#call('Rmdir', { ...this.at(path), force });
  }

  /** Only in v2alpha1. */
  async rmdirContents(path: string): Promise<void> {
    await this.#call('RmdirContents', { path });
  }

  async link(source: string, target: string): Promise<void> {
    await this.#call(this.linkName, { source_path: source, target_path: target });
  }

  async isSymlink(path: string): Promise<boolean> {
    const answer = await this.#call(this.isSymlinkName, { path });
    return answer[this.#isNew ? 'is_symlink' : 'is_mount_point'] === true;
  }

  failsSymlink(path: string): Promise<WireError> {
    return this.#bench.fails('filesystem', this.#version, this.isSymlinkName, { path });
  }

  #call(rpc: string, request: Fields): Promise<Fields> {
    return this.#bench.call('filesystem', this.#version, rpc, request);
  }
}
