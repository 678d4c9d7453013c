import type { FlagKey, FlagValues } from './flags.ts';

const PROCESS = [
  'logLevel',
  'logFormat',
  'httpEndpoint',
  'drainTimeoutSeconds',
] as const satisfies readonly FlagKey[];

const SERVER = [
  'endpoint',
  'socketBackend',
  'driverName',
  'zone',
  ...PROCESS,
  'callTimeoutSeconds',
] as const satisfies readonly FlagKey[];

const CONTROLLER = ['poolDir', 'overcommitRatio', 'attachDir'] as const satisfies readonly FlagKey[];

/** A host layer of this process. */
const HOST = ['nodeId', 'host', 'attachDir', 'stateDir', 'sanPolicy'] as const satisfies readonly FlagKey[];

/** The host layer of a CSI Proxy. */
const PROXY_CLIENT = [
  'pipeDir',
  'kubeletPath',
  'proxyConcurrency',
  'proxyFileTimeoutSeconds',
  'proxyReadTimeoutSeconds',
  'proxyStorageTimeoutSeconds',
] as const satisfies readonly FlagKey[];

const NODE = [
  ...HOST,
  ...PROXY_CLIENT,
  'maxVolumesPerNode',
  'statsCacheSeconds',
  'sweepIntervalSeconds',
] as const satisfies readonly FlagKey[];

/** A flag exists only in the modes that use it. */
export const MODE_FLAGS = {
  controller: [...SERVER, ...CONTROLLER],
  node: [...SERVER, ...NODE],
  all: [...new Set<FlagKey>([...SERVER, ...CONTROLLER, ...NODE])],
  proxy: [
    'pipeDir',
    'apiVersions',
    'era',
    'workingDir',
    'kubeletPath',
    'rootDir',
    'compat',
    ...HOST,
    ...PROCESS,
  ],
  doctor: ['endpoint', 'socketBackend', 'poolDir', 'attachDir', 'stateDir', 'host', 'pipeDir'],
} as const satisfies Record<string, readonly FlagKey[]>;

export type ServerConfig = FlagValues<(typeof SERVER)[number]>;
export type ControllerConfig = ServerConfig & FlagValues<(typeof CONTROLLER)[number]>;
export type NodeConfig = ServerConfig & FlagValues<(typeof NODE)[number]>;
export type AllConfig = ControllerConfig & NodeConfig;
export type ProcessConfig = FlagValues<(typeof PROCESS)[number]>;
export type HostConfig = FlagValues<(typeof HOST)[number]>;
export type ProxyConfig = FlagValues<(typeof MODE_FLAGS.proxy)[number]>;
export type DoctorConfig = FlagValues<(typeof MODE_FLAGS.doctor)[number]>;
