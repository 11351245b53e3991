import { killInTheMiddle, startFragile } from './kill';

/** kill -9 of a server that stores the platform's state, during a call. */
describe('with one replica of every service, kill -9 of a server', () => {
  let world: Awaited<ReturnType<typeof startFragile>>;

  beforeAll(async () => {
    world = await startFragile(1);
  });

  afterAll(async () => {
    await world?.customer.close();
    await world?.platform.stop();
  });

  it.each(['postgres', 'nats', 'redis'])(
    'of %s: a call in progress ends once and is dialed once, and every event is delivered',
    async (name) => killInTheMiddle(world, name),
  );
});
