import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StartError } from '../processes/program.mts';
import { installer, requireBinaries, type Machine, type ServerBinary } from './install.mts';

const apt = '/usr/bin/apt-get';
const both: ServerBinary[] = ['nats-server', 'redis-server'];
const refusals: { machine: Machine; missing: ServerBinary[]; command: string }[] = [
  {
    machine: { platform: 'linux', apt, uid: 1000 },
    missing: both,
    command: 'sudo apt-get install nats-server redis-server',
  },
  {
    machine: { platform: 'linux', apt, uid: 1000 },
    missing: ['nats-server'],
    command: 'sudo apt-get install nats-server',
  },
  { machine: { platform: 'linux', uid: 0 }, missing: ['redis-server'], command: 'REDIS_URL' },
  { machine: { platform: 'linux', uid: 1000 }, missing: both, command: 'NATS_URL' },
  { machine: { platform: 'darwin', uid: 501 }, missing: both, command: 'brew install nats-server redis' },
  { machine: { platform: 'win32' }, missing: both, command: 'NATS_URL' },
];
for (const { machine, missing, command } of refusals) {
  await test(`${missing.join(', ')} missing on ${JSON.stringify(machine)}: names the command that helps`, () => {
    assert.throws(
      () => installer(missing, machine),
      (error) => error instanceof StartError && error.message.includes(command) && !error.message.includes('\n'),
    );
  });
}

await test('root with apt-get installs by itself', () => {
  assert.equal(installer(both, { platform: 'linux', apt, uid: 0 }), apt);
});

await test('installed servers are used unchanged', () => {
  const said: string[] = [];
  const found = requireBinaries(both, (text) => said.push(text));
  assert.deepEqual(Object.keys(found), both);
  assert.deepEqual(said, []);
});
