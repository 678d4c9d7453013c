/** A status travels in an HTTP/2 header, percent-encoded: kept well below the 16 KiB that clients take. */
const MAX_MESSAGE_LENGTH = 2048;

/** Cut to length; through UTF-8 and back, because half a character cannot be percent-encoded. */
export function wireText(text: string): string {
  const cut = text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text;
  return Buffer.from(cut).toString();
}
