import { type Pipe, pipeName } from './api-versions.ts';

/** Where Windows has its named pipes: no folder of a disk, and its names have no further folders. */
const NAMED_PIPES = /^\\\\\.\\pipe(?:\\|$)/i;

/** Whether a place for pipes is that of Windows' named pipes, with or without the beginning of a name after it. */
export const isNamedPipes = (pipeDir: string): boolean => NAMED_PIPES.test(pipeDir);

/**
 * Where a pipe is: `\\.\pipe\csi-proxy-volume-v1`, or a unix socket `<folder>/csi-proxy-volume-v1.sock`. What follows
 * `\\.\pipe\` stands before each name, so that servers of one machine can be told apart.
 */
export const pipeAddress = (pipeDir: string, pipe: Pipe): string =>
  isNamedPipes(pipeDir)
    ? `\\\\.\\pipe\\${pipeDir.replace(NAMED_PIPES, '')}${pipeName(pipe)}`
    : `${pipeDir}/${pipeName(pipe)}.sock`;
