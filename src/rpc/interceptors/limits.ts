import { StorageError } from '../../core/errors.ts';
import type { Interceptor } from '../call.ts';
import {
  MAX_MAP_BYTES,
  MAX_MOUNT_FLAGS_BYTES,
  MAX_STRING_BYTES,
  type MessageRules,
  missingCode,
  RULES,
  STRING_LIMITS,
} from '../field-rules.ts';
import type { MessageField, MessageType } from '../message-types.ts';

/**
 * Checks every field of a request against `field-rules.ts` before anything is looked up, also inside nested messages.
 * Handlers behind it can rely on required fields being there. Throws `invalid-argument` naming the rpc and the field.
 */
export function limits(type: MessageType): Interceptor {
  return (next) => async (request, context) => {
    checkMessage(type, request, { rpc: context.method, path: '' });
    return next(request, context);
  };
}

/** Where in which request: `CreateVolume`, `volume_capabilities[0].`. */
interface Place {
  readonly rpc: string;
  readonly path: string;
}

type Message = Readonly<Record<string, unknown>>;

function checkMessage(type: MessageType, value: unknown, place: Place): void {
  const message = (value ?? {}) as Message;
  checkRules(type, message, place);
  for (const field of type.fields) {
    const content = message[field.name];
    if (content !== undefined && content !== null) checkField(field, content, place);
  }
}

/** U+0000-0008, 000B, 000C, 000E-001F, 007F-009F: CSI spec, CreateVolumeRequest.name. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

function checkRules(type: MessageType, message: Message, place: Place): void {
  const rules = RULES[type.name] ?? {};
  checkPresence(type, rules, message, place);
  checkContents(rules, message, place);
}

function checkPresence(
  type: MessageType,
  { required = [], oneOrMore = [] }: MessageRules,
  message: Message,
  place: Place,
): void {
  for (const name of required) {
    if (isUnset(type, name, message)) {
      const code = missingCode(type.name, name);
      throw refused(place, name, 'is missing: the CSI spec requires the caller to set it', code);
    }
  }
  if (oneOrMore.length > 0 && oneOrMore.every((name) => isUnset(type, name, message))) {
    throw refused(place, oneOrMore.join(' or '), 'is missing: the CSI spec requires the caller to set one');
  }
}

function checkContents(
  { notNegative = [], noControlCharacters = [] }: MessageRules,
  message: Message,
  place: Place,
): void {
  for (const name of notNegative) {
    const number = message[name];
    if (Number(number ?? 0) < 0) throw refused(place, name, `is ${String(number)}: it must not be negative`);
  }
  for (const name of noControlCharacters) {
    const text = message[name];
    if (typeof text === 'string' && CONTROL_CHARACTERS.test(text)) {
      throw refused(
        place,
        name,
        `has a control character: ${JSON.stringify(text.slice(0, MAX_STRING_BYTES))}`,
      );
    }
  }
}

/** As proto3 sees it: absent, or the zero value of its type. A oneof is absent when none of its fields is set. */
function isUnset(type: MessageType, name: string, message: Message): boolean {
  const value = message[name];
  if (value === undefined || value === null) return true;
  if (typeof value === 'object') return Object.keys(value).length === 0;
  const isText = type.fields.some((field) => field.name === name && field.kind === 'string');
  return isText ? value === '' : value === 0 || value === '0' || value === 'UNKNOWN';
}

function checkField(field: MessageField, content: unknown, place: Place): void {
  if (field.kind === 'map') {
    checkTotal(field.name, Object.entries(content as Record<string, string>).flat(), MAX_MAP_BYTES, place);
  } else if (field.name === 'mount_flags') {
    checkTotal(field.name, content as readonly string[], MAX_MOUNT_FLAGS_BYTES, place);
  } else if (field.repeated) {
    for (const [index, element] of (content as readonly unknown[]).entries()) {
      checkValue({ ...field, name: `${field.name}[${index}]` }, element, place);
    }
  } else {
    checkValue(field, content, place);
  }
}

function checkValue(field: MessageField, value: unknown, place: Place): void {
  if (field.message !== undefined) {
    checkMessage(field.message, value, { ...place, path: `${place.path}${field.name}.` });
  } else if (typeof value === 'string' && field.kind === 'string') {
    checkTotal(field.name, [value], STRING_LIMITS[field.name] ?? MAX_STRING_BYTES, place);
  }
}

function checkTotal(name: string, texts: readonly string[], limit: number, place: Place): void {
  const bytes = texts.reduce((total, text) => total + Buffer.byteLength(text), 0);
  if (bytes > limit) throw refused(place, name, `has ${bytes} bytes: the CSI spec allows ${limit}`);
}

function refused(
  { rpc, path }: Place,
  field: string,
  what: string,
  code: StorageError['code'] = 'invalid-argument',
): StorageError {
  return new StorageError(code, `${rpc}: ${path}${field} ${what}`);
}
