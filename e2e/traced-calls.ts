import { randomBytes } from 'node:crypto';
import type { Customer } from './customer';
import { until } from './until';

/** A span of the client: everything that its request causes belongs to its trace. */
export const newTrace = () => {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
};

/** Places a call within a trace, and returns the traceparent of the webhook that reports it. */
export async function webhookOf(customer: Customer, traceparent: string): Promise<string> {
  const answer = await customer.api.post(
    '/v1/calls',
    { agent_id: customer.agentId, to: '+15005550001' },
    { traceparent },
  );
  expect(answer.status).toBe(201);
  const delivery = await until('the webhook of call.created', () =>
    customer.receiver.deliveries.find(
      ({ event }) => event.type === 'call.created' && event.resource_id === answer.body.call_id,
    ),
  );
  return String(delivery.headers.traceparent);
}
