import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Customer } from './customer';
import { Platform } from './platform';
import { Caller } from './spoken/caller';
import { ModelServer } from './spoken/model-server';
import { useOwnServers } from './spoken/own-servers';
import { until } from './until';

interface Turn {
  readonly speaker: string;
  readonly text: string;
  readonly latency?: { readonly total_ms?: number };
}

const questions = ['What do you sell?', 'And what does it cost?', 'Can I pay by card?'];
/** The response of the example server to the caller's n-th turn. */
const exampleSays = (question: string, nth: number): string => `You said: ${question} That was turn ${nth}.`;

/** The examples of docs/external-modes.md, unchanged: one replaces the model, the other all audio components. */
describe("an agent on the customer's server", () => {
  let platform: Platform;
  let customer: Customer;
  let models: ModelServer;
  const examples: ChildProcess[] = [];
  let secret: string;
  const latencies: Record<string, number> = {};

  beforeAll(async () => {
    platform = await Platform.start({ env: { TEST_CALL_CONDUCTOR: 'agent' } });
    customer = await Customer.create(platform);
    models = await ModelServer.start((said) => `Answer to: ${said}`);
    await useOwnServers(customer, models);
  });

  afterAll(async () => {
    for (const example of examples) example.kill();
    await customer?.close();
    await models?.stop();
    await platform?.stop();
  });

  const testCall = () =>
    until('a test call is taken', async () => {
      const { status, body } = await customer.api.post<{ call_id: string; websocket_url: string; token: string }>(
        `/v1/agents/${customer.agentId}/test-calls`,
      );
      if (status === 201) return body;
      expect([status, body]).toEqual([400, expect.anything()]);
      return undefined;
    });

  /** Conducts a conversation in a test call, and returns its recorded turns. */
  async function talk(answerTo: (question: string, nth: number) => string): Promise<Turn[]> {
    const call = await testCall();
    const caller = await Caller.connect(call.websocket_url, call.token);
    await caller.hears('Good morning, how can I help?');
    for (const [place, question] of questions.entries()) {
      models.hears = question;
      await caller.say(await spoken(question));
      await caller.hears(answerTo(question, place + 1));
    }
    caller.send({ type: 'hang_up' });
    expect(await caller.closed).toBe(1000);
    expect(await customer.finished(call.call_id)).toMatchObject({ status: 'completed' });
    return transcriptOf(call.call_id);
  }

  /** Starts an example, unchanged. @returns its port */
  async function started(name: string): Promise<string> {
    const example = spawn(process.execPath, [path.join(__dirname, `../examples/${name}/server.mjs`)], {
      env: { ...process.env, PARLEY_SECRET: secret, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    examples.push(example);
    const [line] = (await once(example.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    return /\d+/.exec(String(line))?.[0] ?? '';
  }

  const transcriptOf = (callId: string): Promise<Turn[]> =>
    until('the transcript', async () => {
      const { status, body } = await customer.api.get<{ turns: Turn[] }>(`/v1/calls/${callId}/transcript`);
      return status === 200 ? body.turns : undefined;
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

  const middleOf = (turns: readonly Turn[]): number => {
    const all = turns.flatMap(({ latency }) => latency?.total_ms ?? []).sort((a, b) => a - b);
    expect(all.length).toBeGreaterThanOrEqual(questions.length);
    return all[Math.floor(all.length / 2)] ?? 0;
  };

  it('hosted, for comparison: the model answers', async () => {
    latencies['hosted'] = middleOf(await talk((question) => `Answer to: ${question}`));
  });

  it('is refused without an address', async () => {
    const { status } = await customer.api.patch(`/v1/agents/${customer.agentId}`, { mode: 'external_text' });
    expect(status).toBe(200);
    const { body } = await customer.api.post<Record<string, unknown>>('/v1/calls', {
      agent_id: customer.agentId,
      to: '+15005550006',
    });
    expect(body).toMatchObject({ error: 'realtime_config_not_runnable', blockers: [{ code: 'address_missing' }] });
  });

  it('is heard in a browser call about as soon as a model, with requests that the example verifies', async () => {
    const at = `/v1/agents/${customer.agentId}`;
    const made = await customer.api.post<{ secret: string }>(`${at}/rotate-secret`, {});
    expect(made.status).toBe(200);
    secret = made.body.secret;
    const webhook_url = `http://127.0.0.1:${await started('external-text')}/`;
    expect((await customer.api.patch(at, { webhook_url })).status).toBe(200);
    const turns = await talk(exampleSays);
    expect(turns.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text)).toEqual([
      'Good morning, how can I help?',
      ...questions.map((question, place) => exampleSays(question, place + 1)),
    ]);
    latencies['external_text'] = middleOf(turns);
    expect(latencies['external_text']).toBeLessThan((latencies['hosted'] ?? 0) + 500);
  });

  it('replies in a simulated call', async () => {
    const { call_id: callId } = await customer.call('+15005550006');
    expect(await customer.finished(callId)).toMatchObject({ status: 'completed', simulated: true });
    const said = (await transcriptOf(callId)).filter(({ speaker }) => speaker === 'agent').map(({ text }) => text);
    expect(said.some((text) => text.startsWith('You said: '))).toBe(true);
    expect(platform.log).not.toContain(secret);
  });

  it('receives and sends the audio of the call in mode external_audio, and the call is recorded', async () => {
    const at = `/v1/agents/${customer.agentId}`;
    const audio_stream_url = `ws://127.0.0.1:${await started('external-audio')}/`;
    const external = { mode: 'external_audio', audio_stream_url, recording_enabled: true };
    expect((await customer.api.patch(at, external)).status).toBe(200);
    const call = await testCall();
    const caller = await Caller.connect(call.websocket_url, call.token);
    const question = await spoken(questions[0] ?? '');
    await caller.say(question);
    await until('the server repeated what it heard', () => caller.heardBytes >= question.length);
    caller.send({ type: 'dtmf', digits: '#' });
    expect(await caller.closed).toBe(1000);
    expect(await customer.finished(call.call_id)).toMatchObject({
      status: 'completed',
      ended_reason: 'agent_hung_up',
      simulated: false,
    });
    expect((await customer.api.get(`/v1/calls/${call.call_id}/transcript`)).status).toBe(404);
    const recording = await until('the recording', async () => {
      const response = await fetch(
        `${platform.baseUrls[0] ?? ''}/v1/calls/${call.call_id}/recording/audio?format=wav`,
        {
          headers: { authorization: `Bearer ${customer.key}` },
        },
      );
      return response.status === 200 ? Buffer.from(await response.arrayBuffer()) : undefined;
    });
    expect(loudestOf(recording, 0)).toBeGreaterThan(64);
    // The agent's side contains what the server has repeated.
    expect(Math.abs(loudestOf(recording, 1) - loudestOf(recording, 0))).toBeLessThan(8);
  });

  it('in mode external_audio is refused for numbers of the simulator, which have no audio', async () => {
    const { status, body } = await customer.api.post<Record<string, unknown>>('/v1/calls', {
      agent_id: customer.agentId,
      to: '+15005550006',
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'realtime_config_not_runnable', blockers: [{ code: 'mode_unavailable' }] });
  });
});

/** The maximum magnitude of a byte on one side of a stereo mu-law WAV file, 0 (silence) to 127; 16 steps are 6 dB. */
function loudestOf(wave: Buffer, side: 0 | 1): number {
  expect([wave.readUInt16LE(20), wave.readUInt16LE(22)]).toEqual([7, 2]);
  const bytes = wave.subarray(wave.indexOf('data') + 8).filter((_, n) => n % 2 === side);
  return bytes.reduce((loudest, byte) => Math.max(loudest, ~byte & 0x7f), 0);
}
