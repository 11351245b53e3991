import { createLogger } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { httpPlatform } from '../src/worker/platform';
import { Worker } from '../src/worker/worker';
import { FakePlatform } from './fake-platform';

it('a worker claims no calls while its audio processing is late, and claims again afterwards', async () => {
  const platform = new FakePlatform();
  await platform.start();
  let late = true;
  const worker = new Worker({
    platform: httpPlatform({ url: platform.url, token: 'tai_test', connections: 4, timeoutMs: 30_000 }),
    carriers: ['simulator'],
    isLate: () => late,
    run: () => {
      throw new Error('nothing is offered here');
    },
    log: createLogger({ service: 'test', level: 'silent' }),
    workerId: 'worker-1',
    capacity: 4,
    signal: new AbortController().signal,
  });
  worker.start();
  try {
    // Long enough to observe an unexpected claim.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(platform.reported).toEqual([]);
    late = false;
    const claim = await eventually(() => platform.reported.find(({ route }) => route === 'claim'));
    expect(claim.body['capacity']).toBe(4);
  } finally {
    platform.letGo();
    await worker.stop();
    await platform.kill();
  }
});
