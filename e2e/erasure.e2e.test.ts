import { Customer } from './customer';
import { Platform } from './platform';
import { until } from './until';

interface Logged {
  readonly data: readonly { readonly resource_id: string; readonly data: object }[];
}

/** Erasure, tested over the API: what remains of a call in its record, in the event log and in deliveries. */
describe('erasure', () => {
  let platform: Platform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await Platform.shared();
    customer = await Customer.create(platform);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  const called = async (to: string): Promise<string> => {
    const { call_id: callId } = await customer.call(to);
    await customer.finished(callId);
    await customer.delivered(callId);
    return callId;
  };
  const loggedOf = async (callId: string): Promise<Logged['data']> => {
    const { body } = await customer.api.get<Logged>('/v1/events?limit=100');
    return body.data.filter(({ resource_id: ofResource }) => ofResource === callId);
  };
  const erased = (callId: string) =>
    until('every event of the call is erased', async () => {
      const events = await loggedOf(callId);
      return events.every(({ data }) => 'erased' in data) ? events.length : undefined;
    });

  it('of a call keeps its accounting data, and the envelopes in the event log', async () => {
    const callId = await called('+15005550006');
    const before = await loggedOf(callId);
    expect(JSON.stringify(before)).toContain('+15005550006');
    const answer = await customer.api.delete(`/v1/calls/${callId}`);
    expect([answer.status, answer.body['to'], answer.body['status']]).toEqual([200, null, 'completed']);
    expect(await erased(callId)).toBe(before.length);
    expect(JSON.stringify(await loggedOf(callId))).not.toContain('+15005550006');
    expect((await customer.api.get(`/v1/calls/${callId}/transcript`)).status).toBe(404);
  });

  it('of a number completes when no data with the number is left, and keeps data of other numbers', async () => {
    const [callId, other] = [await called('+15005550006'), await called('+15005550001')];
    const asked = await customer.api.post('/v1/erasures', { phone_number: '+15005550006' });
    expect(asked.status).toBe(202);
    const done = await until('the erasure ends', async () => {
      const { body } = await customer.api.get(`/v1/erasures/${String(asked.body['erasure_id'])}`);
      return body['status'] === 'done' ? body : undefined;
    });
    expect(done['progress']).toEqual({ calls: 1, messages: 0, contacts: 0, copies_left: 0 });
    await erased(callId);
    expect((await customer.api.get(`/v1/calls/${other}`)).body['to']).toBe('+15005550001');
  });
});
