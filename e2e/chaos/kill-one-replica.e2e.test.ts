import { briefCallee, terminalEvents } from '../customer';
import { killInTheMiddle, startFragile } from './kill';
import { until } from '../until';

/** kill -9 of each of the platform's processes during a call; kill-a-server.e2e.test.ts does the same with servers. */
describe('with one replica of every service, kill -9 of a process', () => {
  let world: Awaited<ReturnType<typeof startFragile>>;

  beforeAll(async () => {
    world = await startFragile(1);
  });

  afterAll(async () => {
    await world?.customer.close();
    await world?.platform.stop();
  });

  it.each(['gateway', 'auth', 'agents', 'voice-stack', 'knowledge', 'telephony', 'webhooks', 'insights', 'engine'])(
    'of %s: a call in progress ends once and is dialed once, and every event is delivered',
    async (name) => killInTheMiddle(world, name),
  );

  it('of the engine while it accepts calls: each call is dialed at most once and ends once', async () => {
    const { customer, platform } = world;
    const calls = await Promise.all(['a', 'b', 'c', 'd'].map(() => customer.call(briefCallee)));
    await platform.kill('engine');
    for (const { call_id } of calls) {
      const call = await customer.finished(call_id);
      const events = await until('its terminal event', () => {
        const seen = customer.receiver.eventsOf(call_id);
        return seen.some(({ type }) => type === `call.${call.status}`) ? seen : undefined;
      });
      expect(events.filter(({ type }) => terminalEvents.includes(type))).toHaveLength(1);
      expect(events.filter(({ type }) => type === 'call.dialing').length).toBeLessThanOrEqual(1);
    }
  });
});
