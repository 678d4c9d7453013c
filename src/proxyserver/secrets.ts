import type { MessageField } from '../rpc/message-types.ts';
import { createRedactor } from '../rpc/interceptors/redact.ts';

/** Fields of requests that reach no log and no error (law 9). The protos of CSI Proxy do not mark them. */
const SECRETS = ['password', 'chap_secret', 'MutualChapSecret'] as const;

const secretField = (name: string): MessageField => ({
  name,
  kind: 'string',
  repeated: false,
  secret: true,
  message: undefined,
});

/** Takes the secrets of a request out of a text. */
export function withoutSecretsOf(request: object): (text: string) => string {
  const redactor = createRedactor({ name: 'request', fields: SECRETS.map(secretField) });
  return (text) => redactor.scrub(text, request);
}
