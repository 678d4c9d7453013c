import { StorageError, throwIfAborted } from '../core/errors.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { ApiGroup, ApiVersion } from '../proxyapi/api-versions.ts';
import { BackOff } from '../util/back-off.ts';
import { cancellable } from './cancellable.ts';
import { newestSession, type Session } from './newest-session.ts';
import { NoVersion } from './no-version.ts';
import type { PipeConnection, PipeTransport } from './pipe-transport.ts';

export interface Chances {
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** 0 ≤ n < 1. */
  readonly random: () => number;
}

export interface NegotiationDeps {
  readonly log: Logger;
  readonly transport: PipeTransport;
  readonly chances: Chances;
  /** True for the versions beside the newest that few calls need. */
  readonly isExtension: boolean;
  /** Told each time that a version is agreed on, and with `undefined` when it is no more. */
  readonly agreed: (version: ApiVersion | undefined) => void;
}

type State =
  | { readonly is: 'open' }
  | { readonly is: 'looking'; readonly found: Promise<Session> }
  | { readonly is: 'agreed'; readonly session: Session; readonly lookAgainAt: number }
  | { readonly is: 'closed' };

const BACK_OFF = { firstSeconds: 0.1, mostSeconds: 5 };
/** A server that starts opens its pipes one by one: what was the newest may not be by now. */
const SETTLED_MS = 2000;
/** That look may have come too early or met a busy pipe, and a connection lasts for weeks. */
const RENEWED_MS = 60_000;

/**
 * Finds the newest version of one group that the server has, remembers it while its connection lives, and looks anew
 * after that. While nothing is found it looks again only now and then; calls in between are told at once.
 */
export class GroupNegotiation {
  readonly #deps: NegotiationDeps;
  readonly #group: ApiGroup;
  readonly #versions: readonly ApiVersion[];
  readonly #backOff: BackOff;
  readonly #end = new AbortController();
  #state: State = { is: 'open' };
  /** What the last look found, and when another one may be of use. */
  #failure: { readonly error: NoVersion; readonly lookAgainAt: number } | undefined;

  /** `versions`: newest first. */
  constructor(deps: NegotiationDeps, group: ApiGroup, versions: readonly ApiVersion[]) {
    this.#deps = deps;
    this.#group = group;
    this.#versions = versions;
    this.#backOff = new BackOff({ ...BACK_OFF, random: deps.chances.random });
  }

  get version(): ApiVersion | undefined {
    return this.#state.is === 'agreed' ? this.#state.session.version : undefined;
  }

  /** Throws `unavailable` with the reason and the mend; `cancelled`. */
  async session(signal: AbortSignal): Promise<Session> {
    throwIfAborted(signal, 'looking for CSI Proxy');
    const state = this.#state;
    switch (state.is) {
      case 'agreed':
        if (this.#deps.chances.now() >= state.lookAgainAt) void this.#lookForNewer(state.session);
        return state.session;
      case 'looking':
        return cancellable(state.found, signal, LOOKED);
      case 'open':
        if (this.#failure !== undefined && this.#deps.chances.now() < this.#failure.lookAgainAt)
          throw this.#failure.error;
        return cancellable(this.#look(), signal, LOOKED);
      case 'closed':
        throw closed();
    }
  }

  /** The connection has proven to be of no use: the next call looks anew. Calls that have begun on it may still end. */
  drop({ connection }: Session, why: string): void {
    this.#lose(connection, why);
    connection.close();
  }

  close(): void {
    const state = this.#state;
    this.#state = { is: 'closed' };
    this.#end.abort();
    if (state.is === 'agreed') state.session.connection.close();
  }

  /** One look at a time, whoever asks. */
  #look(): Promise<Session> {
    const found = this.#newestOf(this.#versions).then(
      (session) => this.#agree(session),
      (error: unknown) => this.#fail(error),
    );
    this.#state = { is: 'looking', found };
    return found;
  }

  async #lookForNewer(current: Session): Promise<void> {
    const lookAgainAt = this.#deps.chances.now() + RENEWED_MS;
    this.#state = { is: 'agreed', session: current, lookAgainAt };
    const newer = this.#versions.slice(0, this.#versions.indexOf(current.version));
    const session = await this.#newestOf(newer).catch(() => undefined);
    if (session === undefined) return;
    if (this.#isCurrent(current.connection)) this.#agree(session);
    else session.connection.close();
    current.connection.close();
  }

  #newestOf(versions: readonly ApiVersion[]): Promise<Session> {
    const { transport, chances } = this.#deps;
    return newestSession({ transport, random: chances.random }, this.#group, versions, this.#end.signal);
  }

  #agree(session: Session): Session {
    if (this.#state.is === 'closed') {
      session.connection.close();
      throw closed();
    }
    const { log, transport, chances, agreed } = this.#deps;
    const { group, version, connection } = session;
    const isNewest = version === this.#versions[0];
    const lookAgainAt = isNewest ? Infinity : chances.now() + SETTLED_MS;
    this.#state = { is: 'agreed', session, lookAgainAt };
    this.#failure = undefined;
    this.#backOff.reset();
    log.info({ group, version, transport: transport.name }, 'agreed on a version with CSI Proxy');
    agreed(version);
    void connection.closed.then(() => {
      this.#lose(connection, 'the connection ended');
    });
    return session;
  }

  #lose(connection: PipeConnection, why: string): void {
    if (!this.#isCurrent(connection)) return;
    const fields = { group: this.#group, version: this.version, why };
    this.#state = { is: 'open' };
    this.#deps.log.warn(fields, 'lost CSI Proxy; the next call looks for it anew');
    this.#deps.agreed(undefined);
  }

  #isCurrent(connection: PipeConnection): boolean {
    return this.#state.is === 'agreed' && this.#state.session.connection === connection;
  }

  #fail(error: unknown): never {
    if (this.#state.is === 'closed') throw closed();
    this.#state = { is: 'open' };
    if (!(error instanceof NoVersion)) throw error;
    if (error.reason !== this.#failure?.error.reason) this.#tell(error);
    this.#failure = { error, lookAgainAt: this.#deps.chances.now() + this.#backOff.next() };
    throw error;
  }

  /** Few need an extension, and older servers have none. */
  #tell({ reason, mend }: NoVersion): void {
    const { log, isExtension } = this.#deps;
    const fields = { group: this.#group, reason, mend };
    if (isExtension) log.debug(fields, 'no extension of CSI Proxy');
    else log.warn(fields, 'no CSI Proxy');
  }
}

const LOOKED = 'a version was agreed on with CSI Proxy';

const closed = (): StorageError =>
  new StorageError('unavailable', 'the connections to CSI Proxy are closed: this process ends');
