import type { Pipe } from '../proxyapi/api-versions.ts';
import type { Listener, ListenerEvents } from '../rpc/listen.ts';

/** How a server opens a pipe. */
export type OpenPipe = (pipe: Pipe, on: ListenerEvents) => Promise<Listener>;
