import fc from 'fast-check';
import protobuf from 'protobufjs';

/**
 * Any message of a type, in the form the wire decoder gives it to a handler: every field present, int64 as decimal
 * text, enums by name, unset messages null, of a oneof only the member that is set, beside it the oneof's own name.
 */
export function decodedMessage(type: protobuf.Type): fc.Arbitrary<Record<string, unknown>> {
  const alone = type.fieldsArray.filter((field) => field.partOf === null);
  const fields = fc.record(Object.fromEntries(alone.map((field) => [field.name, anyField(field)])));
  const oneofs = type.oneofsArray.map((oneof) =>
    fc.option(fc.oneof(...oneof.fieldsArray.map((field) => memberOf(oneof, field))), { nil: {} }),
  );
  return fc.tuple(fields, ...oneofs).map((parts) => Object.assign({}, ...parts) as Record<string, unknown>);
}

const memberOf = (oneof: protobuf.OneOf, field: protobuf.Field): fc.Arbitrary<object> =>
  anyValue(field).map((value) => ({ [field.name]: value, [oneof.name]: field.name }));

function anyField(field: protobuf.Field): fc.Arbitrary<unknown> {
  if (field instanceof protobuf.MapField) {
    return fc.dictionary(anyText, anyValue(field), { maxKeys: 3, noNullPrototype: true });
  }
  if (field.repeated) return fc.array(anyValue(field), { maxLength: 3 });
  return field.resolvedType instanceof protobuf.Type ? fc.option(anyValue(field)) : anyValue(field);
}

function anyValue(field: protobuf.Field): fc.Arbitrary<unknown> {
  if (field.resolvedType instanceof protobuf.Type) return decodedMessage(field.resolvedType);
  if (field.resolvedType instanceof protobuf.Enum) {
    return fc.constantFrom(...Object.keys(field.resolvedType.values));
  }
  const scalar = SCALARS[field.type];
  if (scalar === undefined) throw new Error(`${field.fullName} has type ${field.type}: say how to make one`);
  return scalar;
}

const anyText = fc.string({ unit: 'grapheme' });
const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

const SCALARS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  string: anyText,
  bool: fc.boolean(),
  int32: fc.integer(),
  int64: fc.oneof(fc.bigInt(int64), fc.constantFrom(0n, int64.min, int64.max)).map(String),
};
