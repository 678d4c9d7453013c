import { spawn } from 'node:child_process';

export interface Finished {
  readonly code: number;
  /** Standard output and error, in the order they came. */
  readonly output: string;
}

/** Runs a program to its end. With `show`, its output also goes to the terminal as it comes. */
export function run(
  program: string,
  args: readonly string[],
  options: { readonly show?: boolean; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...options.env },
    });
    let output = '';
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      if (options.show === true) process.stdout.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', (error) => {
      resolve({ code: 127, output: `${output}${error.message}\n` });
    });
    child.once('close', (code) => {
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Runs a tool from node_modules/.bin. */
export const runTool = (
  tool: string,
  args: readonly string[],
  options: { readonly show?: boolean; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Finished> => run(`node_modules/.bin/${tool}`, args, options);

/** Builds the bundle that the tests run. Throws when that fails, because an older one must not be tested instead. */
export async function buildDriver(): Promise<void> {
  const { code } = await runTool('tsx', ['scripts/build.ts'], { show: true });
  if (code !== 0) throw new Error('the driver does not build, so nothing was tested');
}
