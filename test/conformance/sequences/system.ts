import assert from 'node:assert/strict';
import { type Bench, required } from '../bench.ts';
import type { HandName } from '../hands.ts';
import type { Sequence } from '../sequence.ts';

/** The initiator's service: the one that this driver starts. */
const SERVICE = 'MSiSCSI';

const sequence = (
  id: string,
  title: string,
  needs: readonly HandName[],
  run: (bench: Bench) => Promise<void>,
): Sequence => ({ id, title, group: 'system', versions: ['v1alpha1'], needs, run });

export const SYSTEM_SEQUENCES: readonly Sequence[] = [
  sequence('18', "the BIOS' serial number", ['biosSerialNumber'], tellsBiosSerialNumber),
  sequence('19', 'a stopped service as the host has it', ['services'], tellsService),
  sequence('20', 'a service is started and stopped', ['services'], startsAndStops),
];

const call = (bench: Bench, rpc: string, request = {}): ReturnType<Bench['call']> =>
  bench.call('system', 'v1alpha1', rpc, request);

async function tellsBiosSerialNumber(bench: Bench): Promise<void> {
  const { serial_number } = await call(bench, 'GetBIOSSerialNumber');
  const expected = await required(bench.hands.biosSerialNumber)();
  assert.ok(expected.includes(String(serial_number)), `${String(serial_number)} is not in ${expected}`);
}

async function tellsService(bench: Bench): Promise<void> {
  const services = required(bench.hands.services);
  await services.stop(SERVICE);
  const { display_name, start_type, status } = await call(bench, 'GetService', { name: SERVICE });
  const expected = await services.state(SERVICE);
  assert.deepEqual({ displayName: display_name, startType: start_type, status }, expected);
  assert.equal(status, 'STOPPED');
  await bench.fails('system', 'v1alpha1', 'GetService', { name: 'no-such-service' });
}

async function startsAndStops(bench: Bench): Promise<void> {
  const services = required(bench.hands.services);
  await call(bench, 'StartService', { name: SERVICE });
  assert.equal((await services.state(SERVICE)).status, 'RUNNING');
  await call(bench, 'StartService', { name: SERVICE });
  await call(bench, 'StopService', { name: SERVICE, force: false });
  assert.equal((await services.state(SERVICE)).status, 'STOPPED');
}
