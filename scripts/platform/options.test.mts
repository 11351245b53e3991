import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { StartError } from '../processes/program.mts';
import { parseStartOptions, root } from './options.mts';

await test('without options: the checkout, one replica, port 8080', () => {
  assert.deepEqual(parseStartOptions([], {}), {
    home: path.join(root, '.parley'),
    replicas: 1,
    port: 8080,
    fresh: false,
    firstCall: 'once',
    console: true,
    leaseSeconds: 15,
  });
});

await test('--port wins over PORT, which wins over 8080', () => {
  assert.equal(parseStartOptions([], { PORT: '9000' }).port, 9000);
  assert.equal(parseStartOptions(['--port', '9001'], { PORT: '9000' }).port, 9001);
  assert.equal(parseStartOptions([], { PORT: '' }).port, 8080);
});

const accepted = [
  ['--replicas', '1'],
  ['--replicas', '9'],
  ['--port', '0'],
  ['--port', '1'],
  ['--port', '65535'],
  ['--lease-seconds', '1'],
  ['--lease-seconds', '600'],
];
const refused = [
  ['--replicas', '0'],
  ['--replicas', '10'],
  ['--replicas', '1.5'],
  ['--port', '-1'],
  ['--port', '65536'],
  ['--port', 'http'],
  ['--lease-seconds', '0'],
  ['--lease-seconds', '601'],
  ['--unknown'],
  ['start'],
];
for (const args of accepted) {
  await test(`${args.join(' ')} is accepted`, () => assert.doesNotThrow(() => parseStartOptions(args, {})));
}
for (const args of refused) {
  await test(`${args.join(' ')} is refused with one message`, () => {
    assert.throws(() => parseStartOptions(args, {}), StartError);
  });
}
