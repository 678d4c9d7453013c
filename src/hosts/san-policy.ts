/**
 * How a disk arrives, as Windows calls it: `offline` as on a server, until somebody takes it online; `online` as soon
 * as the host sees it, for callers who cannot take it online. A disk that was taken offline by hand stays offline
 * until it is unplugged.
 */
export type SanPolicy = 'offline' | 'online';
