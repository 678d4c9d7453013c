import protobuf from 'protobufjs';
import type { FieldFact, PackageFacts, RpcFact } from '../../facts/csi-facts.ts';

/** What a package of a descriptor says, in the words of the facts table, with every type under its full name. */
export function describePackage(descriptor: protobuf.INamespace, packageName: string): Described {
  const described: Described = { messages: {}, enums: {}, services: {}, extensions: {}, strayOptions: [] };
  const namespace = protobuf.Root.fromJSON(descriptor).resolveAll().lookup(packageName);
  if (!(namespace instanceof protobuf.Namespace))
    throw new Error(`the descriptor has no package ${packageName}`);
  describeNamespace(namespace, described);
  return described;
}

export interface Described {
  messages: Record<string, FieldFact[]>;
  enums: Record<string, Record<string, number>>;
  services: Record<string, RpcFact[]>;
  extensions: Record<string, FieldFact[]>;
  /** Objects with options of which the facts know none: messages, enums, enum values, services, oneofs. */
  strayOptions: string[];
}

function describeNamespace(namespace: protobuf.NamespaceBase, described: Described): void {
  for (const object of namespace.nestedArray) {
    const name = fullName(object);
    if (object instanceof protobuf.Field) {
      const extended = (object.extend ?? '').replace(/^\.?google\.protobuf\./, '');
      (described.extensions[extended] ??= []).push(describeField(object));
      continue;
    }
    if (hasOptions(object)) described.strayOptions.push(name);
    if (object instanceof protobuf.Type) {
      described.messages[name] = byNumber(object.fieldsArray.map(describeField));
      described.strayOptions.push(
        ...object.oneofsArray.filter(hasOptions).map((oneof) => `${name}.${oneof.name}`),
      );
      describeNamespace(object, described);
    } else if (object instanceof protobuf.Enum) {
      described.enums[name] = { ...object.values };
      if (Object.keys(object.valuesOptions ?? {}).length > 0) described.strayOptions.push(`${name} values`);
    } else if (object instanceof protobuf.Service) {
      described.services[name] = object.methodsArray.map(describeMethod);
    } else {
      throw new Error(`${name} is neither message, enum, service nor extension`);
    }
  }
}

function describeField(field: protobuf.Field): FieldFact {
  const type = field.resolvedType === null ? field.type : fullName(field.resolvedType);
  const label = field instanceof protobuf.MapField ? `map<${field.keyType},${type}>` : type;
  return {
    name: field.name,
    number: field.id,
    type: field.repeated ? `repeated ${label}` : label,
    ...(field.partOf ? { oneof: field.partOf.name } : {}),
    ...(hasOptions(field) ? { options: { ...field.options } } : {}),
  };
}

function describeMethod(method: protobuf.Method): RpcFact & { readonly requestStream?: true } {
  return {
    rpc: method.name,
    request: method.resolvedRequestType === null ? method.requestType : fullName(method.resolvedRequestType),
    response:
      method.resolvedResponseType === null ? method.responseType : fullName(method.resolvedResponseType),
    ...(method.requestStream === true ? { requestStream: true } : {}),
    ...(method.responseStream === true ? { responseStream: true } : {}),
    ...(hasOptions(method) ? { options: { ...method.options } } : {}),
  };
}

const fullName = (object: protobuf.ReflectionObject): string => object.fullName.replace(/^\./, '');

const hasOptions = (object: protobuf.ReflectionObject): boolean =>
  Object.keys(object.options ?? {}).length > 0;

const byNumber = (fields: readonly FieldFact[]): FieldFact[] =>
  [...fields].sort((a, b) => a.number - b.number);

/** The facts with every name in full, so that `Type` of one message is not taken for `Type` of another. */
export function resolveFacts(facts: PackageFacts): Omit<Described, 'strayOptions'> {
  const known = new Set([...Object.keys(facts.messages), ...Object.keys(facts.enums)]);
  const full = (name: string): string =>
    known.has(name) && !isImported(name) ? `${facts.package}.${name}` : name;
  const resolve = (name: string, scope: readonly string[]): string => {
    for (let depth = scope.length; depth >= 0; depth -= 1) {
      const candidate = [...scope.slice(0, depth), name].join('.');
      if (known.has(candidate)) return full(candidate);
    }
    return name.replace(/^\./, '');
  };
  const resolveField = (field: FieldFact, scope: readonly string[]): FieldFact => {
    const [, label = '', name = '', end = ''] = /^(repeated |map<\w+,)?(.+?)(>?)$/.exec(field.type) ?? [];
    return { ...field, type: `${label}${resolve(name, scope)}${end}` };
  };
  const resolveRpc = (rpc: RpcFact): RpcFact => ({
    ...rpc,
    request: full(rpc.request),
    response: full(rpc.response),
  });
  return {
    messages: mapTable(facts.messages, full, (fields, name) =>
      byNumber(fields.map((field) => resolveField(field, name.split('.')))),
    ),
    enums: mapTable(facts.enums, full, (values) => ({ ...values })),
    services: mapTable(
      facts.services,
      (name) => `${facts.package}.${name}`,
      (rpcs) => rpcs.map(resolveRpc),
    ),
    extensions: mapTable(
      facts.extensions ?? {},
      (name) => name,
      (fields) => [...fields],
    ),
  };
}

/** Whether a name of the facts belongs to an imported package. */
export const isImported = (name: string): boolean => name.startsWith('google.protobuf.');

const mapTable = <From, To>(
  table: Readonly<Record<string, From>>,
  rename: (key: string) => string,
  to: (value: From, key: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [rename(key), to(value, key)]));
