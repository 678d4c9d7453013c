import { StorageError } from '../core/errors.ts';
import { API_VERSIONS, type ApiGroup, type Pipe } from '../proxyapi/api-versions.ts';
import { type CodecOptions, codecOf } from '../proxyapi/codec-of.ts';
import { shortcomingsOf } from '../proxyapi/shortcomings.ts';

/** A codec whose method is known only by name: whoever calls by name has the types of the port. */
export interface NamedCodec {
  readonly rpc: string;
  encodeRequest(args: readonly unknown[]): object;
  decodeResponse(response: object): unknown;
}

/** The codec of a method in the version of a pipe; `undefined` when that version cannot do it. */
export function codecIfAny(pipe: Pipe, method: string, options?: CodecOptions): NamedCodec | undefined {
  const codecs = codecOf(pipe.group, pipe.version, options) as Readonly<
    Record<string, NamedCodec | undefined>
  >;
  return codecs[method];
}

/** The same; `unimplemented`, with what that costs, when that version cannot do it. */
export function codecFor(pipe: Pipe, method: string, options?: CodecOptions): NamedCodec {
  const codec = codecIfAny(pipe, method, options);
  if (codec === undefined) throw cannot(pipe, method);
  return codec;
}

/** Whether only the extension version of a group knows a method. */
export const isExtension = (group: ApiGroup, method: string): boolean =>
  API_VERSIONS[group].every((version) => codecIfAny({ group, version }, method) === undefined);

export function cannot({ group, version }: Pipe, method: string): StorageError {
  const cost = shortcomingsOf({ group, version }).find(({ methods }) => methods.includes(method))?.cost;
  const text = `CSI Proxy cannot ${method}: this one speaks ${group} ${version}`;
  return new StorageError(
    'unimplemented',
    `${text}${cost === undefined ? '' : ` (${cost})`}; install a newer one`,
  );
}
