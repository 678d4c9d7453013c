import assert from 'node:assert/strict';
import { type Bench, required } from '../bench.ts';
import { DiskDialect } from '../disk-dialect.ts';
import type { HandChap, HandName, HandTarget } from '../hands.ts';
import type { Sequence } from '../sequence.ts';
import type { Fields, WireError } from '../wire.ts';

const ALL = ['v1alpha2', 'v1alpha1'];
const DEFAULT_PORT = 3260;
const SERVICE = 'MSiSCSI';
const NEEDS: readonly HandName[] = ['targets'];
/** Windows takes 12 to 16 bytes. */
const SECRET = 'verysecretpass';
const INITIATOR_SECRET = 'also-a-secret';

export const ISCSI_SEQUENCES: readonly Sequence[] = [
  {
    id: '21',
    title: 'a portal with its port',
    group: 'iscsi',
    versions: ALL,
    needs: NEEDS,
    run: (bench, version) => portal(bench, version, DEFAULT_PORT),
  },
  {
    id: '22',
    title: 'a portal without port',
    group: 'iscsi',
    versions: ALL,
    needs: NEEDS,
    run: (bench, version) => portal(bench, version, 0),
  },
  {
    id: '23',
    title: 'discover, log in, log out',
    group: 'iscsi',
    versions: ALL,
    needs: NEEDS,
    run: (bench, version) => logsIn(bench, version, { type: 'none' }),
  },
  {
    id: '24',
    title: 'log in with one-way CHAP',
    group: 'iscsi',
    versions: ALL,
    needs: NEEDS,
    run: (bench, version) =>
      logsIn(bench, version, { type: 'one-way', username: 'someuser', secret: SECRET }),
  },
  {
    id: '25',
    title: 'log in with mutual CHAP, not with a wrong secret',
    group: 'iscsi',
    versions: ['v1alpha2'],
    needs: NEEDS,
    run: logsInMutually,
  },
  {
    id: '26',
    title: 'the disk of a target is taken online and partitioned',
    group: 'iscsi',
    versions: ALL,
    needs: NEEDS,
    run: usesDisk,
  },
  {
    id: 'era',
    title: 'a second login: refused up to 1.2, taken from 1.3 on',
    group: 'iscsi',
    versions: ALL,
    needs: NEEDS,
    needsEra: true,
    run: logsInTwice,
  },
];

/** The initiator of the server, in the words of one version. */
class Initiator {
  readonly #bench: Bench;
  readonly #version: string;
  readonly #target: HandTarget;

  private constructor(bench: Bench, version: string, target: HandTarget) {
    this.#bench = bench;
    this.#version = version;
    this.#target = target;
  }

  /** With its service running and a target that it does not know yet. */
  static async create(bench: Bench, version: string, chap: HandChap): Promise<Initiator> {
    const target = await required(bench.hands.targets).make(chap);
    bench.later(() => target.remove());
    await bench.call('system', 'v1alpha1', 'StartService', { name: SERVICE });
    return new Initiator(bench, version, target);
  }

  get iqn(): string {
    return this.#target.iqn;
  }

  portal(port = this.#target.port): Fields {
    return { target_portal: { target_address: this.#target.address, target_port: port } };
  }

  call(rpc: string, request: Fields): Promise<Fields> {
    return this.#bench.call('iscsi', this.#version, rpc, request);
  }

  fails(rpc: string, request: Fields): Promise<WireError> {
    return this.#bench.fails('iscsi', this.#version, rpc, request);
  }

  /** Ports of the portals it knows at the target's address. */
  async portals(): Promise<readonly unknown[]> {
    const { target_portals } = await this.call('ListTargetPortals', {});
    return (target_portals as readonly Fields[])
      .filter(({ target_address }) => target_address === this.#target.address)
      .map(({ target_port }) => target_port);
  }

  async discover(): Promise<void> {
    await this.call('AddTargetPortal', this.portal());
    this.#bench.later(() => this.call('RemoveTargetPortal', this.portal()));
    const { iqns } = await this.call('DiscoverTargetPortal', this.portal());
    assert.ok(
      (iqns as readonly string[]).includes(this.iqn),
      `${this.iqn} is not in ${JSON.stringify(iqns)}`,
    );
  }

  login(chap: HandChap): Fields {
    const names = { none: 'NONE', 'one-way': 'ONE_WAY_CHAP', mutual: 'MUTUAL_CHAP' } as const;
    const secrets = chap.type === 'none' ? {} : { chap_username: chap.username, chap_secret: chap.secret };
    return { ...this.portal(), iqn: this.iqn, auth_type: names[chap.type], ...secrets };
  }

  async disconnect(): Promise<void> {
    await this.call('DisconnectTarget', { ...this.portal(), iqn: this.iqn });
  }

  async disks(): Promise<readonly string[]> {
    const answer = await this.call('GetTargetDisks', { ...this.portal(), iqn: this.iqn });
    return answer['diskIDs'] as readonly string[];
  }
}

async function portal(bench: Bench, version: string, port: number): Promise<void> {
  const initiator = await Initiator.create(bench, version, { type: 'none' });
  assert.deepEqual(await initiator.portals(), []);
  await initiator.call('AddTargetPortal', initiator.portal(port));
  assert.deepEqual(await initiator.portals(), [DEFAULT_PORT]);
  await initiator.call('RemoveTargetPortal', initiator.portal(port));
  assert.deepEqual(await initiator.portals(), []);
}

async function logsIn(bench: Bench, version: string, chap: HandChap): Promise<void> {
  const initiator = await Initiator.create(bench, version, chap);
  await initiator.discover();
  if (chap.type === 'one-way') {
    const wrong = { ...initiator.login(chap), chap_secret: 'not-the-secret' };
    const refused = await initiator.fails('ConnectTarget', wrong);
    assert.ok(!refused.details.includes('not-the-secret'), 'law 9: the CHAP secret is in the error');
  }
  await initiator.call('ConnectTarget', initiator.login(chap));
  await initiator.disconnect();
}

async function logsInMutually(bench: Bench, version: string): Promise<void> {
  const chap: HandChap = {
    type: 'mutual',
    username: 'someuser',
    secret: SECRET,
    initiatorSecret: INITIATOR_SECRET,
  };
  const initiator = await Initiator.create(bench, version, chap);
  await initiator.discover();
  await initiator.call('SetMutualChapSecret', { MutualChapSecret: 'made-up-pass' });
  await initiator.fails('ConnectTarget', initiator.login(chap));
  await initiator.call('SetMutualChapSecret', { MutualChapSecret: INITIATOR_SECRET });
  await initiator.call('ConnectTarget', initiator.login(chap));
  await initiator.disconnect();
}

async function usesDisk(bench: Bench, version: string): Promise<void> {
  const initiator = await Initiator.create(bench, version, { type: 'none' });
  await initiator.discover();
  await initiator.call('ConnectTarget', initiator.login({ type: 'none' }));
  const disks = await initiator.disks();
  assert.equal(disks.length, 1, `the target has the disks ${JSON.stringify(disks)}, expected one`);
  assert.match(disks[0] ?? '', /^\d+$/);
  const number = Number(disks[0]);
  const dialect = new DiskDialect(bench, 'v1');
  await dialect.setOnline(number, true);
  await dialect.partition(number);
  await dialect.setOnline(number, false);
  await initiator.disconnect();
}

async function logsInTwice(bench: Bench, version: string): Promise<void> {
  const initiator = await Initiator.create(bench, version, { type: 'none' });
  await initiator.discover();
  const login = initiator.login({ type: 'none' });
  await initiator.call('ConnectTarget', login);
  if (bench.options.era === '1.2') await initiator.fails('ConnectTarget', login);
  else await initiator.call('ConnectTarget', login);
  assert.equal((await initiator.disks()).length, 1);
  await initiator.disconnect();
}
