import table from './csi-1.13.json' with { type: 'json' };

/** Every name, number, type, option and rpc of CSI 1.13, kept apart from our proto so that each can be held against the other. */
export const csiFacts: CsiFacts = table;

export interface CsiFacts extends PackageFacts {
  readonly spec_version: string;
}

/** All that a package says. */
export interface PackageFacts {
  readonly package: string;
  readonly services: Readonly<Record<string, readonly RpcFact[]>>;
  /** By name within the package: `VolumeCapability.MountVolume`. */
  readonly messages: Readonly<Record<string, readonly FieldFact[]>>;
  readonly enums: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** By the google.protobuf message they extend. */
  readonly extensions?: Readonly<Record<string, readonly FieldFact[]>>;
}

export interface RpcFact {
  readonly rpc: string;
  readonly request: string;
  readonly response: string;
  readonly responseStream?: boolean;
  readonly options?: Options;
}

export interface FieldFact {
  readonly name: string;
  readonly number: number;
  /** As written in a proto: `repeated Entry`, `map<string,string>`, a name looked up from the inside out. */
  readonly type: string;
  readonly oneof?: string;
  readonly options?: Options;
}

type Options = Readonly<Record<string, unknown>>;
