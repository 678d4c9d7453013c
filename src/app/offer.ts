import {
  API_GROUPS,
  API_VERSIONS,
  type ApiGroup,
  type ApiVersion,
  EXTENSION_VERSION,
  type Pipe,
} from '../proxyapi/api-versions.ts';
import { codecOf } from '../proxyapi/codec-of.ts';
import type { GroupPorts } from '../proxyapi/rpc-codec.ts';
import { shortcomingsOf } from '../proxyapi/shortcomings.ts';

/** What a client makes of the pipes of a CSI Proxy: the newest version of each group, and its extension. */
export class Offer {
  readonly #versions: ReadonlyMap<ApiGroup, ApiVersion>;
  readonly #extended: ReadonlySet<ApiGroup>;

  constructor(pipes: readonly Pipe[]) {
    this.#versions = new Map(API_GROUPS.flatMap((group) => newestOf(group, pipes)));
    const extensions = pipes.filter(({ version }) => version === EXTENSION_VERSION);
    this.#extended = new Set(extensions.map(({ group }) => group));
  }

  /** The version in use; `undefined` when the group is not offered. */
  versionOf(group: ApiGroup): ApiVersion | undefined {
    return this.#versions.get(group);
  }

  /** `disk v1beta1` */
  nameOf(group: ApiGroup): string {
    return `${group} ${this.versionOf(group) ?? 'in no version'}`;
  }

  can<Group extends ApiGroup>(group: Group, method: keyof GroupPorts[Group] & string): boolean {
    const version = this.versionOf(group);
    return version !== undefined && (method in codecOf(group, version) || this.#isExtension(group, method));
  }

  /** What is lost with the version of a group, in plain words. Nothing where the driver has another way. */
  costsOf(group: ApiGroup): readonly string[] {
    const version = this.versionOf(group);
    if (version === undefined) return [];
    return shortcomingsOf({ group, version })
      .filter(
        ({ harmless, methods }) => !harmless && !methods.every((each) => this.#isExtension(group, each)),
      )
      .map(({ cost }) => cost);
  }

  #isExtension(group: ApiGroup, method: string): boolean {
    return this.#extended.has(group) && method in codecOf(group, EXTENSION_VERSION);
  }
}

function newestOf(group: ApiGroup, pipes: readonly Pipe[]): readonly (readonly [ApiGroup, ApiVersion])[] {
  const versions: readonly ApiVersion[] = API_VERSIONS[group];
  const newest = versions.find((version) =>
    pipes.some((pipe) => pipe.group === group && pipe.version === version),
  );
  return newest === undefined ? [] : [[group, newest]];
}
