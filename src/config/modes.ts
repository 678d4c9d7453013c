import type { FlagKey, FlagValues } from './flags.ts';

const SERVER = [
  'endpoint',
  'driverName',
  'zone',
  'logLevel',
  'logFormat',
  'httpEndpoint',
  'callTimeoutSeconds',
  'drainTimeoutSeconds',
] as const satisfies readonly FlagKey[];

const CONTROLLER = ['poolDir', 'overcommitRatio', 'attachDir'] as const satisfies readonly FlagKey[];

const NODE = [
  'nodeId',
  'host',
  'attachDir',
  'stateDir',
  'maxVolumesPerNode',
  'statsCacheSeconds',
  'sweepIntervalSeconds',
] as const satisfies readonly FlagKey[];

/** A flag exists only in the modes that use it. */
export const MODE_FLAGS = {
  controller: [...SERVER, ...CONTROLLER],
  node: [...SERVER, ...NODE],
  all: [...new Set<FlagKey>([...SERVER, ...CONTROLLER, ...NODE])],
  doctor: ['endpoint', 'poolDir', 'attachDir', 'stateDir', 'host'],
} as const satisfies Record<string, readonly FlagKey[]>;

export type ServerConfig = FlagValues<(typeof SERVER)[number]>;
export type ControllerConfig = ServerConfig & FlagValues<(typeof CONTROLLER)[number]>;
export type NodeConfig = ServerConfig & FlagValues<(typeof NODE)[number]>;
export type AllConfig = ControllerConfig & NodeConfig;
export type DoctorConfig = FlagValues<(typeof MODE_FLAGS.doctor)[number]>;
