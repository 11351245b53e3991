import { once } from 'node:events';
import pg from 'pg';
import { WebSocket } from 'ws';
import { Customer, terminalEvents } from '../customer';
import { Platform } from '../platform';
import { Caller } from '../spoken/caller';
import { ModelServer } from '../spoken/model-server';
import { useOwnServers } from '../spoken/own-servers';
import { until } from '../until';

const greeting = 'Good morning, how can I help?';
const question = 'What do you sell?';
/** Bytes per second of both sides, interleaved. */
const bytesPerSecond = 16_000;

/** A supervisor who listens to both sides of a call. */
class Listener {
  readonly said: { type: string }[] = [];
  private readonly chunks: Buffer[] = [];
  readonly closed: Promise<number>;

  constructor(baseUrl: string, callId: string, key: string) {
    const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/v1/calls/${callId}/live/audio`, {
      headers: { authorization: `Bearer ${key}` },
    });
    socket.on('message', (data: Buffer, binary: boolean) => {
      if (binary) this.chunks.push(data);
      else this.said.push(JSON.parse(data.toString()) as { type: string });
    });
    this.closed = once(socket, 'close').then(([code]) => code as number);
  }

  get seconds(): number {
    return this.chunks.reduce((sum, { length }) => sum + length, 0) / bytesPerSecond;
  }

  voiceSeconds(side: 0 | 1): number {
    return voiceSeconds(Buffer.concat(this.chunks), side);
  }
}

/** Seconds with voice on one side. */
const voiceSeconds = (bytes: Buffer, side: 0 | 1): number =>
  bytes.filter((byte, n) => n % 2 === side && (~byte & 0x7f) > 48).length / 8_000;

/** The audio of a call is sent from its engine through one gateway to clients that listen at any gateway. */
describe('a call with listeners', () => {
  let platform: Platform;
  let database: pg.Client;
  let customer: Customer;
  let models: ModelServer;

  beforeAll(async () => {
    platform = await Platform.start({ replicas: 2, leaseSeconds: 5, env: { TEST_CALL_CONDUCTOR: 'agent' } });
    customer = await Customer.create(platform);
    models = await ModelServer.start((said) => `Answer to: ${said}`);
    await useOwnServers(customer, models);
    database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
  });

  afterAll(async () => {
    await database?.end();
    await customer?.close();
    await models?.stop();
    await platform?.stop();
  });

  it('sends the audio of both sides to each gateway while it is in progress, and nothing after it', async () => {
    const call = await testCall();
    const caller = await Caller.connect(call.websocket_url, call.token);
    await caller.hears(greeting);
    const listeners = platform.baseUrls.map((url) => new Listener(url, call.call_id, customer.key));
    expect(listeners.length).toBe(2);
    await until('sound arrives', () => listeners.every(({ seconds }) => seconds > 0.5));
    models.hears = question;
    await caller.say(await spoken(question));
    await caller.hears(`Answer to: ${question}`);
    for (const listener of listeners) {
      await until('both sides are heard', () => listener.voiceSeconds(0) > 0.2 && listener.voiceSeconds(1) > 0.2);
      expect(listener.said[0]).toEqual({
        type: 'start',
        call_id: call.call_id,
        encoding: 'mulaw',
        sample_rate: 8_000,
        channels: 2,
      });
    }
    caller.send({ type: 'hang_up' });
    expect(await Promise.all(listeners.map(({ closed }) => closed))).toEqual([1_000, 1_000]);
    expect(listeners.map(({ said }) => said.at(-1)?.type)).toEqual(['ended', 'ended']);
    expect(await customer.finished(call.call_id)).toMatchObject({ status: 'completed' });
    expect((await customer.api.get(`/v1/calls/${call.call_id}/live/audio`)).status).toBe(409);
  });

  it('ends once if all engines are killed, and its recording and transcript up to then are kept', async () => {
    const saved = await customer.api.patch(`/v1/agents/${customer.agentId}`, { recording_enabled: true });
    expect(saved.status).toBe(200);
    const call = await testCall();
    const caller = await Caller.connect(call.websocket_url, call.token);
    await caller.hears(greeting);
    models.hears = question;
    await caller.say(await spoken(question));
    await caller.hears(`Answer to: ${question}`);
    const { rows } = await until('ten seconds are handed in', async () => {
      const parts = await database.query('select size_bytes from telephony.recording_parts where call_id = $1', [
        call.call_id,
      ]);
      return parts.rows.length >= 2 ? parts : undefined;
    });
    await Promise.all([platform.kill('engine', 0), platform.kill('engine', 1)]);
    const ended = await customer.finished(call.call_id);
    expect(ended).toMatchObject({ status: 'completed', ended_reason: 'worker_lost' });
    const turns = await until('the transcript', async () => {
      const path = `/v1/calls/${call.call_id}/transcript`;
      const { status, body } = await customer.api.get<{ turns: { speaker: string; text: string }[] }>(path);
      return status === 200 ? body.turns : undefined;
    });
    expect(turns.map(({ speaker, text }) => [speaker, text])).toEqual([
      ['agent', greeting],
      ['caller', question],
      ['agent', `Answer to: ${question}`],
    ]);
    const wave = await until('the recording', async () => {
      const path = `${platform.baseUrls[0] ?? ''}/v1/calls/${call.call_id}/recording/audio?format=wav`;
      const answer = await fetch(path, { headers: { authorization: `Bearer ${customer.key}` } });
      return answer.status === 200 ? Buffer.from(await answer.arrayBuffer()) : undefined;
    });
    // Each part contains five seconds of both sides.
    expect(wave.length).toBeGreaterThanOrEqual(58 + rows.length * 5 * bytesPerSecond);
    const sound = wave.subarray(58);
    expect([voiceSeconds(sound, 0) > 0.2, voiceSeconds(sound, 1) > 0.2]).toEqual([true, true]);
    const events = `/v1/calls/${call.call_id}/events?limit=100`;
    const { body } = await customer.api.get<{ data: { type: string }[] }>(events);
    const types = body.data.map(({ type }) => type);
    expect(types.filter((type) => terminalEvents.includes(type))).toEqual(['call.completed']);
    expect(types.filter((type) => type === 'call.recording.ready')).toHaveLength(1);
  });

  const testCall = () =>
    until('a test call is taken', async () => {
      const path = `/v1/agents/${customer.agentId}/test-calls`;
      const { status, body } = await customer.api.post<{ call_id: string; websocket_url: string; token: string }>(path);
      return status === 201 ? body : undefined;
    });

  async function spoken(text: string): Promise<Buffer> {
    const answer = await fetch(`${platform.baseUrls[0] ?? ''}/v1/voice-previews`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        organization_id: customer.organizationId,
        text,
        voice: { provider: 'simulator', model: 'sim-speak-40', voice_id: 'sim-anna' },
      }),
    });
    expect(answer.status).toBe(200);
    return Buffer.from(await answer.arrayBuffer());
  }
});
