import { once } from 'node:events';
import { WebSocket } from 'ws';
import { Customer, type CallRecord } from './customer';
import { Platform } from './platform';
import { until } from './until';

interface TestCall {
  readonly call_id: string;
  readonly websocket_url: string;
  readonly token: string;
}

/** A test call over the API: created at the gateway, connected to the engine's media port, and reported like any other call. A parrot conducts it here. */
describe('test calls', () => {
  let platform: Platform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await Platform.start({ env: { TEST_CALL_CONDUCTOR: 'parrot' } });
    customer = await Customer.create(platform);
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  async function start(): Promise<TestCall> {
    const path = `/v1/agents/${customer.agentId}/test-calls`;
    // An engine that has just started may not have declared its capabilities yet.
    return until('a test call is taken', async () => {
      const { status, body } = await customer.api.post<TestCall & { error?: string }>(path);
      if (status === 201) return body;
      expect([status, body.error]).toEqual([400, 'realtime_config_not_runnable']);
      return undefined;
    });
  }

  function connect({ websocket_url: url, token }: TestCall) {
    const socket = new WebSocket(url, ['parley.audio.v1', `parley.token.${token}`]);
    const heard: Buffer[] = [];
    const messages: Record<string, unknown>[] = [];
    socket.on('message', (data: Buffer, binary: boolean) => {
      if (binary) heard.push(data);
      else messages.push(JSON.parse(data.toString()) as Record<string, unknown>);
    });
    const closed = once(socket, 'close').then(([code]) => code as number);
    const say = (message: object): void => socket.send(JSON.stringify(message));
    return { socket, heard, messages, closed, say };
  }

  it('carry audio in both directions, and all their events are delivered with signatures', async () => {
    const call = await start();
    const { socket, heard, messages, closed, say } = connect(call);
    await until('the line is ready', () => messages.some(({ type }) => type === 'ready'));
    const sound = Buffer.alloc(640, 7);
    socket.send(sound);
    say({ type: 'text', text: 'Good morning' });
    await until('what was said came back', () => heard.length === 1 && messages.length === 4);
    expect(heard).toEqual([sound]);
    say({ type: 'hang_up' });
    expect(await closed).toBe(1000);
    const events = await customer.receiver.story(call.call_id, 'call.transcript.ready', 'call.completed');
    const types = events.map(({ type }) => type);
    expect(types.slice(0, 4)).toEqual(['call.created', 'call.answered', 'media.started', 'call.ended']);
    expect([...types.slice(4)].sort()).toEqual(['call.completed', 'call.transcript.ready']);
    const { body } = await customer.api.get<CallRecord>(`/v1/calls/${call.call_id}`);
    expect(body).toMatchObject({
      channel: 'browser',
      from: null,
      to: null,
      carrier: null,
      status: 'completed',
      ended_reason: 'caller_hung_up',
    });
    const transcript = await customer.api.get(`/v1/calls/${call.call_id}/transcript`);
    expect(transcript.body).toMatchObject({
      turns: [{ speaker: 'caller', text: 'Good morning' }, { speaker: 'agent' }],
    });
    expect(platform.log).not.toContain(call.token);
  });

  it('accept a token only once', async () => {
    const call = await start();
    const first = connect(call);
    await until('the first line is ready', () => first.messages.length > 0);
    expect(await connect(call).closed).toBe(1008);
    first.say({ type: 'hang_up' });
    expect(await first.closed).toBe(1000);
  });

  it('are ended by a cancellation', async () => {
    const call = await start();
    const { messages, closed } = connect(call);
    await until('the line is ready', () => messages.length > 0);
    expect((await customer.api.post(`/v1/calls/${call.call_id}/cancel`)).status).toBe(200);
    expect(await closed).toBe(1000);
    expect(messages.at(-1)).toMatchObject({ type: 'ended', ended_reason: 'canceled' });
  });

  it('are refused during maintenance', async () => {
    const operator = customer.api.as(platform.development.operator_key);
    expect((await operator.put('/v1/maintenance', { active: true, retry_after_seconds: 60 })).status).toBe(200);
    const path = `/v1/agents/${customer.agentId}/test-calls`;
    await until('it is refused', async () => {
      const { status, body } = await customer.api.post(path);
      return status === 503 && body.error === 'platform_maintenance';
    });
    expect((await operator.put('/v1/maintenance', { active: false })).status).toBe(200);
  });
});
