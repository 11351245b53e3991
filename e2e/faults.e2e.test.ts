import { Customer, terminalEvents } from './customer';
import { Platform } from './platform';
import { until } from './until';

const services = ['gateway', 'auth', 'agents', 'voice-stack', 'telephony', 'webhooks', 'engine'];
const servers = ['postgres', 'nats', 'redis'];

/**
 * kill -9 of any one process in the middle of a call: the call ends in exactly one terminal state, and every event arrives at least
 * once, never with a different content.
 */
describe.each([
  ['one replica of every service', 1],
  ['two replicas of every service', 2],
])('kill -9 with %s', (_title, replicas) => {
  let platform: Platform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await Platform.start({ replicas, leaseSeconds: 3, simulatorSpeed: 4 });
    customer = await Customer.create(platform);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  it.each([...services, ...servers])('of %s in the middle of a call', async (name) => {
    const { call_id } = await customer.call('+15005550006');
    await customer.receiver.eventOf(call_id, 'call.answered');
    await platform.kill(name);

    const call = await customer.finished(call_id);
    const terminal = await until('a terminal event', () =>
      customer.receiver.eventsOf(call_id).find(({ type }) => terminalEvents.includes(type)),
    );
    expect(terminal.type).toBe(`call.${call.status}`);

    const events = await until('every event up to the newest', () => {
      const seen = customer.receiver.eventsOf(call_id);
      const newest = seen.at(-1)?.resource_seq;
      const complete =
        newest === seen.length &&
        (call.status !== 'completed' ||
          seen.some(({ type }) => type === 'call.transcript.ready' || call.ended_reason === 'worker_lost'));
      return complete ? seen : undefined;
    });
    expect(events.filter(({ type }) => terminalEvents.includes(type))).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'call.dialing')).toHaveLength(1);
    expect(events.map(({ resource_seq }) => resource_seq)).toEqual(events.map((_, index) => index + 1));
    const contents = new Map<string, Set<string>>();
    for (const { webhookId, raw } of customer.receiver.deliveries) {
      contents.set(webhookId, (contents.get(webhookId) ?? new Set()).add(raw));
    }
    expect([...contents.values()].filter((variants) => variants.size > 1)).toEqual([]);
    await platform.ready();
  });

  it('of the engine between the claim and the permit: the job goes back and the call is conducted', async () => {
    const calls = await Promise.all(['a', 'b', 'c', 'd'].map(() => customer.call('+15005550006')));
    await platform.kill('engine');
    for (const { call_id } of calls) {
      const call = await customer.finished(call_id);
      expect(['completed', 'failed']).toContain(call.status);
      const events = await until('its terminal event', () => {
        const seen = customer.receiver.eventsOf(call_id);
        return seen.some(({ type }) => terminalEvents.includes(type)) ? seen : undefined;
      });
      expect(events.filter(({ type }) => type === 'call.dialing').length).toBeLessThanOrEqual(1);
    }
  });
});
