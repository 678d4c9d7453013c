import type {
  HostDisks,
  HostFiles,
  HostIscsi,
  HostSmb,
  HostSystem,
  HostVolumes,
} from '../core/ports/host-storage.ts';

/** The port that each API group of CSI Proxy stands for. */
export interface GroupPorts {
  readonly disk: HostDisks;
  readonly volume: HostVolumes;
  readonly filesystem: HostFiles;
  readonly smb: HostSmb;
  readonly iscsi: HostIscsi;
  readonly system: HostSystem;
}

/** What a port's method takes before its signal. */
export type ArgsOf<Method> = Method extends (...args: [...infer Args, AbortSignal]) => Promise<unknown>
  ? Args
  : never;

/** What it gives. */
export type ResultOf<Method> = Method extends (...args: never[]) => Promise<infer Result> ? Result : never;

/**
 * One method of a port as one version of the API has it: the name of the rpc, and four pure functions between the
 * versionless form and the message. `Request` and `Response` are the generated message types. Encoding throws
 * `unimplemented` when this version has no way to say it; decoding throws `invalid-argument` on what means nothing.
 */
export interface RpcCodec<Method, Request = object, Response = object> {
  readonly rpc: string;
  encodeRequest(args: ArgsOf<Method>): Request;
  decodeRequest(request: Request): ArgsOf<Method>;
  encodeResponse(result: ResultOf<Method>): Response;
  decodeResponse(response: Response): ResultOf<Method>;
}

/** All that one version of a group can do; a method that is not there, it cannot. */
export type GroupCodec<Port> = {
  readonly [Method in keyof Port]?: RpcCodec<Port[Method]>;
};
