import {
  API_GROUPS,
  API_VERSIONS,
  type ApiGroup,
  type ApiVersion,
  type Pipe,
} from '../proxyapi/api-versions.ts';
import { codecOf } from '../proxyapi/codec-of.ts';
import type { GroupPorts } from '../proxyapi/rpc-codec.ts';
import { shortcomingsOf } from '../proxyapi/shortcomings.ts';

/** What a client makes of the pipes of a CSI Proxy: the newest version of each group. */
export class Offer {
  readonly #versions: ReadonlyMap<ApiGroup, ApiVersion>;

  constructor(pipes: readonly Pipe[]) {
    this.#versions = new Map(API_GROUPS.flatMap((group) => newestOf(group, pipes)));
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
    return version !== undefined && method in codecOf(group, version);
  }

  /** What is lost with the version of a group, in plain words. Nothing where the driver has another way. */
  costsOf(group: ApiGroup): readonly string[] {
    const version = this.versionOf(group);
    if (version === undefined) return [];
    const shortcomings = shortcomingsOf({ group, version });
    return shortcomings.filter(({ harmless }) => !harmless).map(({ cost }) => cost);
  }
}

function newestOf(group: ApiGroup, pipes: readonly Pipe[]): readonly (readonly [ApiGroup, ApiVersion])[] {
  const versions: readonly ApiVersion[] = API_VERSIONS[group];
  const newest = versions.find((version) =>
    pipes.some((pipe) => pipe.group === group && pipe.version === version),
  );
  return newest === undefined ? [] : [[group, newest]];
}
