import { once } from 'node:events';
import { WebSocket } from 'ws';
import { Customer } from './customer';
import { Platform } from './platform';
import { Caller } from './spoken/caller';
import { ModelServer } from './spoken/model-server';
import { useOwnServers } from './spoken/own-servers';
import { until } from './until';

const greeting = 'Good morning, how can I help?';
const question = 'What do you sell?';
/** Of both sides in a second, interleaved. */
const bytesPerSecond = 16_000;

/** A supervisor's ear: both sides of a call. */
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

  /** Seconds with a voice on a side. */
  voiceSeconds(side: 0 | 1): number {
    const bytes = Buffer.concat(this.chunks);
    return bytes.filter((byte, n) => n % 2 === side && (~byte & 0x7f) > 48).length / 8_000;
  }
}

/** The sound of a call goes from the engine that conducts it through a gateway to those who listen in at any gateway. */
describe('listening in to a call', () => {
  let platform: Platform;
  let customer: Customer;
  let models: ModelServer;

  beforeAll(async () => {
    platform = await Platform.start({ replicas: 2, env: { TEST_CALL_CONDUCTOR: 'agent' } });
    customer = await Customer.create(platform);
    models = await ModelServer.start((said) => `Answer to: ${said}`);
    await useOwnServers(customer, models);
  });

  afterAll(async () => {
    await customer?.close();
    await models?.stop();
    await platform?.stop();
  });

  it('has both sides at each gateway while the call goes on, and ends with it', async () => {
    const call = await until('a test call is taken', async () => {
      const path = `/v1/agents/${customer.agentId}/test-calls`;
      const { status, body } = await customer.api.post<{ call_id: string; websocket_url: string; token: string }>(path);
      return status === 201 ? body : undefined;
    });
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
