import { hostname } from 'node:os';
import {
  apiVersions,
  choice,
  count,
  driverName,
  duration,
  nodeId,
  path,
  ratio,
  text,
  wholeNumber,
  windowsPath,
  windowsPaths,
  yesOrNo,
  zone,
} from './parsers.ts';

/** One command line flag. Its environment variable is `CSI_NTFS_` and its name in capitals. */
export interface Flag<Value> {
  readonly name: string;
  /** Placeholder in the help: `seconds`, `dir`. */
  readonly value: string;
  /** What it does, with its unit. */
  readonly help: string;
  readonly default: string;
  /** How the default reads in help and docs, where it depends on the machine. */
  readonly defaultText?: string;
  /** What the flag means when it is given without a value. */
  readonly preset?: string;
  /** Between the values of a flag that may be given several times, as in its environment variable. */
  readonly separator?: string;
  /** Turns the text into a value or throws an Error whose message says what is accepted. */
  readonly parse: (text: string) => Value;
}

/** Keeps the value type of each flag in the table below. */
const flag = <Value>(definition: Flag<Value>): Flag<Value> => definition;

/** Every flag of every mode. `docs/reference/flags.md` is generated from this table. */
export const FLAGS = {
  endpoint: flag({
    name: 'endpoint',
    value: 'uri',
    help: 'where CSI is served: unix:///path, unix://C:\\path on Windows, or tcp://127.0.0.1:port for tests',
    default: 'unix:///csi/csi.sock',
    parse: text,
  }),
  socketBackend: flag({
    name: 'socket-backend',
    value: 'backend',
    help: "whose sockets CSI is served on: node (Node.js', which has no unix sockets on Windows), reactor (the system's own), or auto: reactor on Windows, else node",
    default: 'auto',
    parse: choice('auto', 'node', 'reactor'),
  }),
  driverName: flag({
    name: 'driver-name',
    value: 'name',
    help: 'name of this CSI driver, as in CSIDriver and StorageClass.provisioner',
    default: 'ntfs.csi.io',
    parse: driverName,
  }),
  zone: flag({
    name: 'zone',
    value: 'name',
    help: 'zone that this controller provisions in, or that this node is in: the value of its topology key',
    default: 'local',
    parse: zone,
  }),
  logLevel: flag({
    name: 'log-level',
    value: 'level',
    help: 'least level that is logged: debug, info, warn or error',
    default: 'info',
    parse: choice('debug', 'info', 'warn', 'error'),
  }),
  logFormat: flag({
    name: 'log-format',
    value: 'format',
    help: 'json, pretty, or auto: pretty on a terminal, else json',
    default: 'auto',
    parse: choice('auto', 'json', 'pretty'),
  }),
  httpEndpoint: flag({
    name: 'http-endpoint',
    value: 'host:port',
    help: 'serve /metrics, /healthz and /readyz here, port 0 for any free one; empty: not served',
    default: '',
    parse: text,
  }),
  callTimeoutSeconds: flag({
    name: 'call-timeout-seconds',
    value: 'seconds',
    help: 'deadline of a call whose caller set none, in seconds',
    default: '120',
    parse: duration,
  }),
  drainTimeoutSeconds: flag({
    name: 'drain-timeout-seconds',
    value: 'seconds',
    help: 'how long calls in flight may go on after SIGTERM, in seconds',
    default: '25',
    parse: duration,
  }),
  poolDir: flag({
    name: 'pool-dir',
    value: 'dir',
    help: 'pool: directory that holds the volume images; xfs or btrfs make snapshots instant',
    default: '/var/lib/csi-driver-ntfs/pool',
    parse: path,
  }),
  overcommitRatio: flag({
    name: 'overcommit-ratio',
    value: 'ratio',
    help: 'how many bytes are promised for each byte the pool has; above 1 volumes can run out of space',
    default: '1',
    parse: ratio,
  }),
  attachDir: flag({
    name: 'attach-dir',
    value: 'dir',
    help: 'directory through which the controller plugs disks into nodes of this machine; the same on both',
    default: '/var/lib/csi-driver-ntfs/attach',
    parse: path,
  }),
  nodeId: flag({
    name: 'node-id',
    value: 'id',
    help: 'name of this node, at most 256 bytes; in Kubernetes spec.nodeName',
    default: hostname(),
    defaultText: "this machine's host name",
    parse: nodeId,
  }),
  host: flag({
    name: 'host',
    value: 'layer',
    help: 'who does the work on this node: proxy (a CSI Proxy), linux (loop devices and ntfs-3g, needs root), simulated (plain directories), or auto: proxy on Windows, else linux as root, else simulated',
    default: 'auto',
    parse: choice('auto', 'proxy', 'linux', 'simulated'),
  }),
  sanPolicy: flag({
    name: 'san-policy',
    value: 'policy',
    help: "how new disks arrive on a host of ours, as Windows' SAN policy says: offline, or online, which CSI Proxies need whose disk API is older than v1beta2",
    default: 'offline',
    parse: choice('offline', 'online'),
  }),
  stateDir: flag({
    name: 'state-dir',
    value: 'dir',
    help: 'directory for what must survive restarts of the pod and reboots: the journal of the node, and what a host of ours has to remember',
    default: '/var/lib/csi-driver-ntfs/node',
    parse: path,
  }),
  maxVolumesPerNode: flag({
    name: 'max-volumes-per-node',
    value: 'count',
    help: 'most volumes attached to this node at once; 0: what the host can do',
    default: '0',
    parse: wholeNumber,
  }),
  statsCacheSeconds: flag({
    name: 'stats-cache-seconds',
    value: 'seconds',
    help: 'how long volume statistics asked from the host are kept, in seconds',
    default: '60',
    parse: duration,
  }),
  sweepIntervalSeconds: flag({
    name: 'sweep-interval-seconds',
    value: 'seconds',
    help: 'how often dangling mounts are looked for and volume conditions refreshed, in seconds',
    default: '60',
    parse: duration,
  }),
  pipeDir: flag({
    name: 'pipe-dir',
    value: 'dir',
    help: 'where the pipes of CSI Proxy are: one socket for each version of each API group',
    default: process.platform === 'win32' ? '\\\\.\\pipe\\' : '/var/run/csi-proxy',
    defaultText: '`/var/run/csi-proxy`, on Windows `\\\\.\\pipe\\`',
    parse: path,
  }),
  kubeletPath: flag({
    name: 'kubelet-path',
    value: 'dir',
    help: "kubelet's root directory as Windows names it: CSI Proxies before 1.0 must be told whether a path is below its plugins or its pods",
    default: String.raw`C:\var\lib\kubelet`,
    defaultText: '`C:\\var\\lib\\kubelet`',
    parse: windowsPath,
  }),
  proxyConcurrency: flag({
    name: 'proxy-concurrency',
    value: 'count',
    help: 'most calls to CSI Proxy at once; each storage call to releases before 1.3 starts a PowerShell there',
    default: '3',
    parse: count,
  }),
  proxyFileTimeoutSeconds: flag({
    name: 'proxy-file-timeout-seconds',
    value: 'seconds',
    help: 'deadline of a call to CSI Proxy about files and links, in seconds',
    default: '10',
    parse: duration,
  }),
  proxyReadTimeoutSeconds: flag({
    name: 'proxy-read-timeout-seconds',
    value: 'seconds',
    help: 'deadline of a call to CSI Proxy that reads the state of disks and volumes, in seconds',
    default: '60',
    parse: duration,
  }),
  proxyStorageTimeoutSeconds: flag({
    name: 'proxy-storage-timeout-seconds',
    value: 'seconds',
    help: 'how long a call to CSI Proxy that partitions, formats, mounts or resizes may take until it is reported, in seconds; it is never cut off',
    default: '180',
    parse: duration,
  }),
  apiVersions: flag({
    name: 'api-versions',
    value: 'list',
    help: 'what is offered, separated by commas: releases of CSI Proxy (0.2.2, 1.0, 1.1, 1.2, 1.3), versions of its API (v1, v1beta3, …), or all',
    default: 'all',
    parse: apiVersions,
  }),
  era: flag({
    name: 'era',
    value: 'release',
    help: 'answer as CSI Proxy 1.2 did or as 1.3 does, or auto: as the newest release that --api-versions names, else 1.3',
    default: 'auto',
    parse: choice('auto', '1.2', '1.3'),
  }),
  workingDir: flag({
    name: 'working-dir',
    value: 'dir',
    help: 'a directory below which paths may be, as Windows names it, besides that of --kubelet-path; may be given several times, in the environment with semicolons between',
    default: '',
    separator: ';',
    parse: windowsPaths,
  }),
  rootDir: flag({
    name: 'root-dir',
    value: 'dir',
    help: String.raw`the directory of this machine that is C:\ for the callers`,
    default: '/',
    parse: path,
  }),
  compat: flag({
    name: 'compat',
    value: 'answer',
    help: 'yes or no: check paths as CSI Proxy itself does, with its holes: a working directory also allows its namesakes (kubelet-other), and volumes may be mounted anywhere',
    default: 'no',
    preset: 'yes',
    parse: yesOrNo,
  }),
} as const;

export type FlagKey = keyof typeof FLAGS;

/** Value of each flag once parsed. */
export type FlagValues<Keys extends FlagKey> = {
  readonly [Key in Keys]: (typeof FLAGS)[Key] extends Flag<infer Value> ? Value : never;
};

/** What follows a flag's name in help and docs: `<dir>`, `[answer]` where it may be left out. */
export const placeholder = ({ value, preset }: Flag<unknown>): string =>
  preset === undefined ? `<${value}>` : `[${value}]`;

/** Environment variable that sets a flag: `--pool-dir` is `CSI_NTFS_POOL_DIR`. */
export const environmentVariable = (name: string): string =>
  `CSI_NTFS_${name.toUpperCase().replaceAll('-', '_')}`;
