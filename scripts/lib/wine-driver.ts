import { win32 } from 'node:path';
import { type CsiClient, connectCsi } from '../../src/rpc/csi-client.ts';
import { WineSession } from './wine-session.ts';

export const EXE = String.raw`dist\csi-driver-ntfs.exe`;
export const WORK = WineSession.work;
export const NODE_ID = 'wine';
export const QUICK_SECONDS = 30;

/** Flags for folders that no other driver has. */
export const ownFolders = (owner: string): readonly string[] =>
  ['attach', 'state'].flatMap((name) => [`--${name}-dir`, win32.join(WORK, `${owner}-${name}`)]);

/** Starts a driver on a TCP port and hands a client of it to `use`. */
export async function withDriver(
  session: WineSession,
  args: readonly string[],
  use: (client: CsiClient, port: number) => Promise<string>,
): Promise<string> {
  const common = ['--endpoint', 'tcp://127.0.0.1:0', '--log-format', 'json', '--node-id', NODE_ID];
  const driver = session.start(EXE, [...args, ...common]);
  await driver.printed('serving CSI"');
  const [, port = ''] = /"endpoint":"?[^,]*127\.0\.0\.1:(\d+)/.exec(await driver.output()) ?? [];
  const client = connectCsi(`tcp://127.0.0.1:${port}`);
  try {
    await client.ready(QUICK_SECONDS);
    return await use(client, Number(port));
  } catch (error) {
    const end = (await driver.output()).trimEnd().split('\n').slice(-5).join('\n');
    throw new Error(`${error instanceof Error ? error.message : String(error)}; its log ends:\n${end}`);
  } finally {
    client.close();
  }
}
