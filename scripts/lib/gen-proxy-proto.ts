import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import protobuf from 'protobufjs';
import { ALL_PIPES, type Pipe, pipeName } from '../../src/proxyapi/api-versions.ts';
import type { Generated } from './generated.ts';

/**
 * The wire API of CSI Proxy: one module a pipe with the types of its messages and its descriptor, so that versions
 * that share a package name never meet, and one that lists them.
 */
export const proxyWireApi: Generated = {
  name: 'types and descriptors of proto/csi-proxy',
  outputs: ['src/gen/csi-proxy'],
  generate: async (folder) => {
    for (const pipe of ALL_PIPES) await write(join(folder, modulePath(pipe)), pipeModule(pipe));
    await write(join(folder, 'src/gen/csi-proxy/descriptors.ts'), listModule());
  },
};

const protoPath = ({ group, version }: Pipe): string => `proto/csi-proxy/${group}/${version}.proto`;
const modulePath = ({ group, version }: Pipe): string => `src/gen/csi-proxy/${group}/${version}.ts`;

/** Parses the proto of one pipe, alone. */
export function parseProxyProto(pipe: Pipe): protobuf.Root {
  const root = new protobuf.Root().loadSync(protoPath(pipe), { keepCase: true });
  root.resolveAll();
  return root;
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

function pipeModule(pipe: Pipe): string {
  const root = parseProxyProto(pipe);
  const { nestedArray } = root.lookup(pipe.version) as protobuf.Namespace;
  return [
    `// Generated from ${protoPath(pipe)} by \`npm run generate\`. Do not edit.`,
    "import type { INamespace } from 'protobufjs';",
    '',
    ...nestedArray.flatMap((object) => [...declarationOf(object), '']),
    `export const descriptor = ${JSON.stringify(root.toJSON(), undefined, 2)} as unknown as INamespace; // its type asks every method for a comment`,
    '',
  ].join('\n');
}

function declarationOf(object: protobuf.ReflectionObject): string[] {
  if (object instanceof protobuf.Enum) return [`export type ${object.name} = ${unionOf(object)};`];
  if (object instanceof protobuf.Type) {
    const fields = object.fieldsArray.map((field) => `  readonly ${field.name}: ${typeOf(field)};`);
    return [`export interface ${object.name} {`, ...fields, '}'];
  }
  if (object instanceof protobuf.Service) {
    const rpcs = object.methodsArray.map(
      ({ name, requestType, responseType }) =>
        `  readonly ${name}: { readonly request: ${requestType}; readonly response: ${responseType} };`,
    );
    return ['/** The rpcs of the service. */', 'export interface Rpcs {', ...rpcs, '}'];
  }
  throw new Error(`${object.fullName} is neither message, enum nor service`);
}

const unionOf = ({ values }: protobuf.Enum): string =>
  Object.keys(values)
    .map((name) => `'${name}'`)
    .join(' | ');

/** Types of scalars as the loader options make them: 64-bit numbers are texts. */
const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'boolean',
  uint32: 'number',
  int64: 'string',
};

function typeOf(field: protobuf.Field): string {
  const isMessage = field.resolvedType instanceof protobuf.Type;
  const one = field.resolvedType?.name ?? SCALARS[field.type];
  if (one === undefined)
    throw new Error(`${field.fullName} has the type ${field.type}, new to this generator`);
  if (field instanceof protobuf.MapField) return `Readonly<Record<string, ${one}>>`;
  if (field.repeated) return `readonly ${one}[]`;
  return isMessage ? `${one} | null` : one;
}

function listModule(): string {
  const alias = ({ group, version }: Pipe): string => `${group}_${version}`;
  return [
    '// Generated from proto/csi-proxy by `npm run generate`. Do not edit.',
    ...ALL_PIPES.map(
      (pipe) => `import { descriptor as ${alias(pipe)} } from './${pipe.group}/${pipe.version}.ts';`,
    ),
    '',
    '/** The descriptor of each pipe by its name. */',
    'export const descriptors = {',
    ...ALL_PIPES.map((pipe) => `  '${pipeName(pipe)}': ${alias(pipe)},`),
    '};',
    '',
  ].join('\n');
}
