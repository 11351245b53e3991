import pg from 'pg';
import { Customer, type CallRecord } from './customer';
import { Platform } from './platform';
import { until } from './until';

/** Controls a call in progress over the API: through gateway, telephony and the engine that conducts it. */
describe('live control', () => {
  let platform: Platform;
  let customer: Customer;
  let database: pg.Client;
  const from = '+16285550199';

  beforeAll(async () => {
    platform = await Platform.start({ replicas: 2 });
    customer = await Customer.create(platform);
    database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
    const number = {
      organization_id: customer.organizationId,
      project_id: customer.projectId,
      phone_number: from,
      provider: 'simulator',
      simulator_pace: 'real_time',
    };
    expect((await customer.api.post('/v1/numbers', number)).status).toBe(201);
  });

  afterAll(async () => {
    await database?.end();
    await customer?.close();
    await platform?.stop();
  });

  /** Places a call to a callee that answers and stays silent. */
  const talking = async (): Promise<string> => {
    const { status, body } = await customer.api.post<CallRecord>('/v1/calls', {
      agent_id: customer.agentId,
      from,
      to: '+15005550007',
    });
    expect(status).toBe(201);
    await until('the call is answered', async () => {
      const call = await customer.api.get<CallRecord>(`/v1/calls/${body.call_id}`);
      return call.body.status === 'answered';
    });
    return body.call_id;
  };

  it('makes the agent say a text and hangs up the call, and the record shows both', async () => {
    const callId = await talking();
    const said = await customer.api.post(`/v1/calls/${callId}/say`, { text: 'This is a supervisor speaking.' });
    expect([said.status, said.body]).toEqual([201, expect.objectContaining({ type: 'say', status: 'performed' })]);
    for (const [path, body] of [
      ['mute', { muted: true }],
      ['mute', { muted: false }],
      ['press', { digits: '1#' }],
    ] as const) {
      expect((await customer.api.post(`/v1/calls/${callId}/${path}`, body)).status).toBe(201);
    }
    // This text is said before the next command.
    await customer.api.post(`/v1/calls/${callId}/say`, { text: 'Goodbye then.' });
    await until('the second text is being said', async () => {
      const text = "select body from telephony.call_turns where call_id = $1 and body like '%Goodbye%'";
      const { rowCount } = await database.query(text, [callId]);
      return rowCount === 1;
    });
    expect((await customer.api.post(`/v1/calls/${callId}/hang-up`)).status).toBe(201);
    await until('the call is completed', async () => {
      const { body } = await customer.api.get<CallRecord>(`/v1/calls/${callId}`);
      return body.status === 'completed' && body.ended_reason === 'agent_hung_up';
    });
    const { body: transcript } = await customer.api.get(`/v1/calls/${callId}/transcript`);
    expect(JSON.stringify(transcript)).toContain('This is a supervisor speaking.');
    expect((await customer.api.post(`/v1/calls/${callId}/say`, { text: 'Too late.' })).status).toBe(409);
  });

  it('is followed by server-sent events until it ends', async () => {
    const callId = await talking();
    const response = await fetch(`${platform.baseUrls[0]}/v1/calls/${callId}/live`, {
      headers: { authorization: `Bearer ${customer.key}`, accept: 'text/event-stream' },
      signal: AbortSignal.timeout(60_000),
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const read = response.text();
    await customer.api.post(`/v1/calls/${callId}/say`, { text: 'You are being watched.' });
    await customer.api.post(`/v1/calls/${callId}/say`, { text: 'Goodbye then.' });
    await until('the second text is being said', async () => {
      const text = "select body from telephony.call_turns where call_id = $1 and body like '%Goodbye%'";
      return (await database.query(text, [callId])).rowCount === 1;
    });
    expect((await customer.api.post(`/v1/calls/${callId}/hang-up`)).status).toBe(201);
    const types = [...(await read).matchAll(/^event: (\w+)$/gm)].map(([, type]) => type);
    expect(types[0]).toBe('state');
    expect(types).toContain('turn');
    expect(types.at(-1)).toBe('ended');
  });

  it('answers a command within 450 ms (median), without waiting for the poll', async () => {
    const callId = await talking();
    const took: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      const at = performance.now();
      expect((await customer.api.post(`/v1/calls/${callId}/mute`, { muted: n % 2 === 0 })).status).toBe(201);
      took.push(performance.now() - at);
    }
    took.sort((a, b) => a - b);
    // Much less than the interval at which commands are found without a notification.
    expect(took[10]).toBeLessThan(450);
    await customer.api.post(`/v1/calls/${callId}/hang-up`);
  });
});
