/** Waits for SIGTERM or SIGINT and gives its name. A second one ends the process at once, as without a handler. */
export function untilToldToStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals): void => {
      process.removeListener('SIGTERM', stop);
      process.removeListener('SIGINT', stop);
      resolve(signal);
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}
