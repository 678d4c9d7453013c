import { StorageError } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import {
  API_GROUPS,
  API_VERSIONS,
  type ApiGroup,
  type ApiVersion,
  EXTENSION_VERSION,
} from '../proxyapi/api-versions.ts';
import type { NegotiationObserver } from '../proxyapi/call-observer.ts';
import { cannot, isExtension } from './codec-for.ts';
import { type Chances, GroupNegotiation } from './group-negotiation.ts';
import type { Session } from './newest-session.ts';
import { NoVersion } from './no-version.ts';
import type { PipeTransport } from './pipe-transport.ts';

export interface NegotiationsDeps {
  readonly log: Logger;
  readonly transport: PipeTransport;
  readonly observer: NegotiationObserver;
  readonly chances: Chances;
}

/** What is agreed on with the server, group by group. Each is looked for when it is first needed. */
export class Negotiations {
  readonly #groups: ReadonlyMap<ApiGroup, GroupNegotiation>;
  readonly #extensions: ReadonlyMap<ApiGroup, GroupNegotiation>;

  constructor({ observer, ...deps }: NegotiationsDeps) {
    const negotiate = (group: ApiGroup): GroupNegotiation => {
      const agreed = (version: ApiVersion | undefined): void => {
        observer.negotiated(group, version);
      };
      return new GroupNegotiation({ ...deps, isExtension: false, agreed }, group, API_VERSIONS[group]);
    };
    const extend = (group: ApiGroup): GroupNegotiation =>
      new GroupNegotiation({ ...deps, isExtension: true, agreed: () => undefined }, group, [
        EXTENSION_VERSION,
      ]);
    this.#groups = new Map(API_GROUPS.map((group) => [group, negotiate(group)]));
    this.#extensions = new Map(API_GROUPS.map((group) => [group, extend(group)]));
  }

  /** Throws `NoVersion`; `cancelled`. */
  session(group: ApiGroup, signal: AbortSignal): Promise<Session> {
    return negotiationIn(this.#groups, group).session(signal);
  }

  /** The same for one method; `unimplemented` when it needs an extension that this server has not. */
  async sessionFor(group: ApiGroup, method: string, signal: AbortSignal): Promise<Session> {
    const session = await this.session(group, signal);
    if (!isExtension(group, method)) return session;
    try {
      return await negotiationIn(this.#extensions, group).session(signal);
    } catch (error) {
      if (error instanceof NoVersion && error.fault === 'absent') throw cannot(session, method);
      throw error;
    }
  }

  /** A session has proven to be of no use: the next call looks anew. */
  drop(session: Session, why: string): void {
    const negotiations = session.version === EXTENSION_VERSION ? this.#extensions : this.#groups;
    negotiationIn(negotiations, session.group).drop(session, why);
  }

  versions(): ReadonlyMap<ApiGroup, ApiVersion | undefined> {
    return new Map([...this.#groups].map(([group, { version }]) => [group, version]));
  }

  close(): void {
    for (const negotiation of [...this.#groups.values(), ...this.#extensions.values()]) negotiation.close();
  }
}

function negotiationIn(
  negotiations: ReadonlyMap<ApiGroup, GroupNegotiation>,
  group: ApiGroup,
): GroupNegotiation {
  const negotiation = negotiations.get(group);
  if (negotiation === undefined) throw new StorageError('unimplemented', `CSI Proxy has no group ${group}`);
  return negotiation;
}
