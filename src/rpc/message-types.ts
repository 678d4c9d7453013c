import type { fromJSON } from '@grpc/proto-loader';

/** A protobufjs JSON descriptor, as `src/gen` holds it. */
export type DescriptorJson = Parameters<typeof fromJSON>[0];

export interface MessageField {
  readonly name: string;
  readonly kind: 'string' | 'map' | 'message' | 'other';
  readonly repeated: boolean;
  /** Carries the option `csi_secret`: its contents reach no log and no error (law 9). */
  readonly secret: boolean;
  /** The type of the message, or of the values of the map. */
  readonly message: MessageType | undefined;
}

/** What redaction and field limits must know of a message; linked to the types of its fields. */
export interface MessageType {
  /** Name inside its package: `VolumeCapability.AccessMode`. */
  readonly name: string;
  readonly fields: readonly MessageField[];
}

interface JsonField {
  readonly type: string;
  readonly rule?: string;
  readonly keyType?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

interface JsonNode {
  readonly fields?: Readonly<Record<string, JsonField>>;
  readonly nested?: Readonly<Record<string, JsonNode>>;
}

interface Draft {
  readonly name: string;
  readonly fields: MessageField[];
}

/** Every message type of one package of a descriptor, by its name inside the package. */
export function messageTypes(
  descriptor: DescriptorJson,
  packageName: string,
): ReadonlyMap<string, MessageType> {
  const nodes = new Map<string, JsonNode>();
  collect(descriptor as JsonNode, '', nodes);
  const prefix = `${packageName}.`;
  const drafts = new Map<string, Draft>();
  for (const path of nodes.keys()) {
    drafts.set(path, { name: path.startsWith(prefix) ? path.slice(prefix.length) : path, fields: [] });
  }
  for (const [path, node] of nodes) {
    for (const [name, field] of Object.entries(node.fields ?? {})) {
      drafts.get(path)?.fields.push(fieldOf(name, field, resolve(field.type, path, drafts)));
    }
  }
  const ours = [...drafts].filter(([path]) => path.startsWith(prefix));
  return new Map(ours.map(([, draft]) => [draft.name, draft]));
}

/** Finds the messages of a namespace; a message may hold others. */
function collect(node: JsonNode, path: string, found: Map<string, JsonNode>): void {
  if (node.fields !== undefined) found.set(path, node);
  for (const [name, child] of Object.entries(node.nested ?? {})) {
    collect(child, path === '' ? name : `${path}.${name}`, found);
  }
}

/** A type is named as in the .proto file: looked for in the message itself, then in each scope around it. */
function resolve(type: string, from: string, types: ReadonlyMap<string, Draft>): Draft | undefined {
  if (type.startsWith('.')) return types.get(type.slice(1));
  for (let scope = from; scope !== ''; scope = scope.slice(0, Math.max(0, scope.lastIndexOf('.')))) {
    const found = types.get(`${scope}.${type}`);
    if (found !== undefined) return found;
  }
  return types.get(type);
}

function fieldOf(name: string, field: JsonField, message: MessageType | undefined): MessageField {
  return {
    name,
    kind: kindOf(field, message),
    repeated: field.rule === 'repeated',
    secret: Object.entries(field.options ?? {}).some(
      ([option, value]) => /^\((.*\.)?csi_secret\)$/.test(option) && value === true,
    ),
    message,
  };
}

function kindOf(field: JsonField, message: MessageType | undefined): MessageField['kind'] {
  if (field.keyType !== undefined) return 'map';
  if (message !== undefined) return 'message';
  return field.type === 'string' ? 'string' : 'other';
}
