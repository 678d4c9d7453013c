import { inspect } from 'node:util';
import type { MessageField, MessageType } from '../message-types.ts';

const REDACTED = '[redacted]';

/** Keeps what the proto marks with `csi_secret` out of everything that leaves the call (law 9). */
export interface Redactor {
  /** A copy of the message, fit for the log. */
  redact(message: unknown): unknown;
  /** A text that came out of the call, without the secrets that went in. */
  scrub(text: string, message: unknown): string;
}

export function createRedactor(type: MessageType): Redactor {
  return {
    redact: (message) => redactMessage(type, message),
    scrub: (text, message) => scrubText(text, secretsOf(type, message)),
  };
}

type Message = Readonly<Record<string, unknown>>;

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null;

function redactMessage(type: MessageType, message: unknown): unknown {
  if (!isMessage(message)) return message;
  const copy: Record<string, unknown> = {};
  for (const field of type.fields) {
    const value = message[field.name];
    if (value === undefined || value === null) continue;
    if (field.secret) copy[field.name] = isEmpty(value) ? value : REDACTED;
    else copy[field.name] = mapValues(field, value, (inner) => redactInner(field, inner));
  }
  return copy;
}

const redactInner = (field: MessageField, value: unknown): unknown =>
  field.message === undefined ? value : redactMessage(field.message, value);

/** Applies a function to the one value of a field, or to each value of a list or map. */
function mapValues(field: MessageField, value: unknown, change: (inner: unknown) => unknown): unknown {
  if (field.repeated && Array.isArray(value)) return value.map(change);
  if (field.kind === 'map' && isMessage(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]));
  }
  return change(value);
}

/** An empty secret is no secret, and that it is empty helps the reader. */
const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

function secretsOf(type: MessageType, message: unknown): readonly string[] {
  if (!isMessage(message)) return [];
  return type.fields.flatMap((field) => {
    const value = message[field.name];
    if (field.secret) return textsIn(value);
    const inner = field.message;
    if (inner === undefined || !isMessage(value)) return [];
    const values = field.repeated || field.kind === 'map' ? Object.values(value) : [value];
    return values.flatMap((each) => secretsOf(inner, each));
  });
}

/** Every text inside a secret field, whatever its shape. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()];
  return isMessage(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** The longest first, because one secret may be a part of another; as it is and as quoted texts show it. */
function scrubText(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [
    secret,
    unquoted(JSON.stringify(secret)),
    unquoted(inspect(secret)),
  ]);
  const wanted = [...new Set(forms)].filter((form) => form !== '').sort((a, b) => b.length - a.length);
  return wanted.reduce((scrubbed, secret) => scrubbed.replaceAll(secret, REDACTED), text);
}

const unquoted = (text: string): string => text.slice(1, -1);
