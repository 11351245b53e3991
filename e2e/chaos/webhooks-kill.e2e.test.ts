import { Customer } from '../customer';
import { Platform } from '../platform';
import { until } from '../until';

const victims = ['webhooks', 'telephony', 'nats', 'postgres', 'auth'];
const rounds = 2;
const slots = 16;
/** The number of concurrent calls. Each begins while the previous one is being dialed. */
const lines = 3;

/** Places calls one after another on several lines until `stop` is called, which returns their ids. */
function placeCalls(customer: Customer): { stop(): Promise<string[]>; readonly placed: readonly string[] } {
  const placed: string[] = [];
  let placing = true;
  const line = async (): Promise<void> => {
    while (placing) {
      const { call_id } = await customer.call('+15005550006');
      placed.push(call_id);
      await customer.receiver.eventOf(call_id, 'call.dialing');
    }
  };
  const working = Promise.all(Array.from({ length: lines }, line));
  return {
    placed,
    stop: async () => {
      placing = false;
      await working;
      return placed;
    },
  };
}

/** kill -9 of every process that handles events, while calls create events continuously. */
describe('events under load while every process on their way is killed twice', () => {
  let platform: Platform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await Platform.start({
      leaseSeconds: 3,
      // Otherwise only one lease per minute would be reaped, because there are so few calls.
      env: { WEBHOOK_LEASE_SECONDS: '3', LEASES_REAPED_AT_LEAST: '100', WEBHOOK_MAX_CONCURRENCY: String(slots) },
    });
    customer = await Customer.create(platform);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  it('each arrives at least once, repeated events have the same bytes, and only deliveries in flight in a killed process are repeated', async () => {
    const { receiver } = customer;
    const calls = placeCalls(customer);
    for (let round = 0; round < rounds; round += 1) {
      for (const name of victims) {
        // The process is killed during work: since the previous one was restarted, a call was placed and an event has arrived.
        const [placed, arrived] = [calls.placed.length, receiver.deliveries.length];
        await until('calls and deliveries', () => calls.placed.length > placed && receiver.deliveries.length > arrived);
        await platform.kill(name);
      }
    }
    await platform.ready();
    for (const callId of await calls.stop()) {
      await customer.finished(callId);
      const { listed, received } = await customer.delivered(callId);
      expect(received).toEqual(listed);
    }
    const contents = new Map(receiver.deliveries.map(({ webhookId, raw }) => [webhookId, raw]));
    expect(receiver.deliveries.filter(({ webhookId, raw }) => contents.get(webhookId) !== raw)).toEqual([]);
    expect(receiver.deliveries.length - contents.size).toBeLessThanOrEqual(slots * rounds);
    expect(receiver.rejected).toEqual([]);
  });
});
