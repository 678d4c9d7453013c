/** Characters of a server's text that are worth a line of log: PowerShell writes pages. */
const LONGEST = 400;

/** What a server said, on one line of bounded length and without the secrets that it may have been told (law 9). */
export function serverText(text: string, secrets: readonly string[]): string {
  const line = withoutSecrets(text, secrets)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line === '') return 'it gave no reason';
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** Servers quote what they were told in the ways of PowerShell and of Go. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [secret, secret.replaceAll("'", "''"), JSON.stringify(secret).slice(1, -1)])
    .toSorted((one, other) => other.length - one.length)
    .reduce((safe, secret) => safe.replaceAll(secret, '***'), text);
}
