import { killInTheMiddle, startFragile } from './kill';

/** kill -9 of one of two replicas during a call: the other one continues. */
describe('with two replicas of every service, kill -9', () => {
  let world: Awaited<ReturnType<typeof startFragile>>;

  beforeAll(async () => {
    world = await startFragile(2);
  });

  afterAll(async () => {
    await world?.customer.close();
    await world?.platform.stop();
  });

  it.each(['gateway', 'auth', 'agents', 'voice-stack', 'knowledge', 'telephony', 'webhooks', 'insights', 'engine'])(
    'of %s: a call in progress ends once and is dialed once, and every event is delivered',
    async (name) => killInTheMiddle(world, name),
  );
});
