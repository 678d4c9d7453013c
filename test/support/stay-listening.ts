import { openReactorListener } from '../../src/transport/reactor-listener.ts';
import { systemSockets } from '../../src/transport/system-sockets.ts';

/** A process that listens on a unix socket through the reactor: `exit` exits it after a moment, `stay` waits. */
async function main(): Promise<void> {
  const [, , path = '', then] = process.argv;
  const on = { connection: () => undefined, error: () => undefined };
  const deps = { api: systemSockets(), clearPath: () => Promise.resolve() };
  await openReactorListener({ kind: 'unix', path }, on, deps);
  process.stdout.write('up\n');
  // Not at once: a poll has to be under way, whose thread the process waits for at its end.
  if (then === 'exit') setTimeout(() => process.exit(7), 100);
}

void main();
