import { briefCallee, Customer, terminalEvents } from '../customer';
import { Platform } from '../platform';
import { until } from '../until';

/** Starts a platform with short leases, and creates an organization that places calls. */
export async function startFragile(replicas: number): Promise<{ platform: Platform; customer: Customer }> {
  const platform = await Platform.start({
    replicas,
    leaseSeconds: 3,
    env: { WEBHOOK_LEASE_SECONDS: '3', LEASES_REAPED_AT_LEAST: '100' },
  });
  return { platform, customer: await Customer.create(platform, { pace: 'real_time' }) };
}

/**
 * Kills one process during a call, and checks the guarantees: the call ends in exactly one terminal state, it is dialed once, and every event arrives at least
 * once and always with the same content.
 */
export async function killInTheMiddle(
  { platform, customer }: { platform: Platform; customer: Customer },
  name: string,
): Promise<void> {
  const { call_id } = await customer.call(briefCallee);
  await customer.receiver.eventOf(call_id, 'call.answered');
  await platform.kill(name);

  const call = await customer.finished(call_id);
  const terminal = await until('a terminal event', () =>
    customer.receiver.eventsOf(call_id).find(({ type }) => terminalEvents.includes(type)),
  );
  expect(terminal.type).toBe(`call.${call.status}`);

  const { received: events } = await customer.delivered(call_id);
  expect(events.filter(({ type }) => terminalEvents.includes(type))).toHaveLength(1);
  expect(events.filter(({ type }) => type === 'call.dialing')).toHaveLength(1);
  expect(events.map(({ resource_seq }) => resource_seq)).toEqual(events.map((_, index) => index + 1));
  const contents = new Map<string, Set<string>>();
  for (const { webhookId, raw } of customer.receiver.deliveries) {
    contents.set(webhookId, (contents.get(webhookId) ?? new Set()).add(raw));
  }
  expect([...contents.values()].filter((variants) => variants.size > 1)).toEqual([]);
  expect(customer.receiver.rejected).toEqual([]);
  await platform.ready();
}
