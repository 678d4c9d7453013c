import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import protobuf from 'protobufjs';
import descriptorProto from 'protobufjs/google/protobuf/descriptor.json' with { type: 'json' };
import type { Generated } from './generated.ts';

const CSI_PROTO = 'proto/csi.proto';

/** How the driver sees messages: field names as on the wire, int64 and enums as strings, defaults filled in. */
const LOADER_FLAGS = ['--keepCase', '--longs=String', '--enums=String', '--defaults', '--oneofs'];
const OUTPUT_FLAGS = ['--targetFileExtension=.ts', '--importFileExtension=.ts', '--grpcLib=@grpc/grpc-js'];

/** Types of every message and service of csi.v1. */
export const wireTypes: Generated = {
  name: 'types of proto/csi.proto',
  outputs: ['src/gen/csi'],
  generate: async (folder) => {
    const generator = 'node_modules/@grpc/proto-loader/build/bin/proto-loader-gen-types.js';
    const outDir = `--outDir=${join(folder, 'src/gen/csi')}`;
    await promisify(execFile)(process.execPath, [
      generator,
      ...LOADER_FLAGS,
      ...OUTPUT_FLAGS,
      outDir,
      CSI_PROTO,
    ]);
  },
};

/** The proto itself, parsed, so that the driver reads no file when it starts. */
export const wireDescriptor: Generated = {
  name: 'descriptor of proto/csi.proto',
  outputs: ['src/gen/csi-descriptor.ts'],
  generate: async (folder) => {
    const path = join(folder, 'src/gen/csi-descriptor.ts');
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, descriptorModule(parseCsiProto()));
  },
};

/** Parses proto/csi.proto with all its imports. protobufjs brings the imports except descriptor.proto. */
export function parseCsiProto(): protobuf.INamespace {
  protobuf.common('descriptor', descriptorProto.nested.google.nested.protobuf.nested);
  return new protobuf.Root().loadSync(CSI_PROTO, { keepCase: true }).resolveAll().toJSON();
}

const descriptorModule = (
  descriptor: protobuf.INamespace,
): string => `// Generated from ${CSI_PROTO} by \`npm run generate\`. Do not edit.
import type { INamespace } from 'protobufjs';

/**
 * Package csi.v1 and the google.protobuf messages it uses. Options are kept, \`(csi_secret)\` too. Load it with
 * \`protoLoader.fromJSON(csiDescriptor, { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true })\`.
 */
export const csiDescriptor = ${JSON.stringify(descriptor, undefined, 2)} as unknown as INamespace; // its type asks every method for a comment
`;
