import { Webhook } from 'standardwebhooks';
import { Customer } from './customer';
import { Platform } from './platform';
import { Caller } from './spoken/caller';
import { ModelServer } from './spoken/model-server';
import { useOwnServers } from './spoken/own-servers';
import { ToolServer } from './spoken/tool-server';
import { until } from './until';

interface Turn {
  readonly speaker: string;
  readonly text: string;
  readonly latency?: { readonly total_ms?: number };
  readonly tool_calls?: readonly { readonly name: string; readonly outcome: string; readonly arguments: string }[];
}

const find = 'Where is my order number seven?';
const book = 'Please book me for Friday.';
const confirm = 'Yes, please do it.';
const questions = [
  'Hello, who is there?',
  'What do you sell?',
  find,
  'And what does it cost?',
  'Do you deliver on Saturday?',
  'Can I pay by card?',
  book,
  confirm,
  'When do you close?',
  'Thank you very much.',
];

/** The last thing that the agent says in response to a question. */
const answerTo = (question: string): string => {
  if (question === find) return 'It is on its way with Anna.';
  if (question === book) return 'Shall I book you for Friday?';
  return question === confirm ? 'You are booked at ten.' : `Answer to: ${question}`;
};

/** An agent with the customer's own servers: a transcriber, a model and a voice with OpenAI's protocol, and two webhook tools. */
describe('a spoken conversation of ten turns with two tools', () => {
  let platform: Platform;
  let customer: Customer;
  let models: ModelServer;
  let tools: ToolServer;
  let sounds: Buffer[];
  /** The secrets with which the requests of each tool are signed. */
  const secrets = new Map<string, string>();
  let transcript: Turn[];

  beforeAll(async () => {
    platform = await Platform.start({ env: { TEST_CALL_CONDUCTOR: 'agent' } });
    customer = await Customer.create(platform);
    tools = await ToolServer.start({ '/find': { status: 'on its way', driver: 'Anna' }, '/book': { at: '10:00' } });
    models = await ModelServer.start((said, [result]) => {
      if (result !== undefined) return /Anna|10:00|not run yet/.test(result) ? answerTo(said) : result;
      if (said === find) return { tool: 'find_order', arguments: { number: 7 } };
      return said === book || said === confirm ? { tool: 'book', arguments: { day: 'Friday' } } : answerTo(said);
    });
    await useOwnServers(customer, models, {
      tools: [
        tool('find_order', '/find', 'number', 'integer'),
        { ...tool('book', '/book', 'day', 'string'), irreversible: true },
      ],
    });
    for (const [path, name] of [
      ['/find', 'find_order'],
      ['/book', 'book'],
    ] as const) {
      const rotate = `/v1/agents/${customer.agentId}/tools/${name}/rotate-secret`;
      const { status, body } = await customer.api.post<{ secret: string }>(rotate, {});
      expect(status).toBe(200);
      secrets.set(path, body.secret);
    }
    sounds = [];
    for (const question of questions) sounds.push(await spoken(question));
  });

  afterAll(async () => {
    await customer?.close();
    await models?.stop();
    await tools?.stop();
    await platform?.stop();
  });

  const tool = (name: string, path: string, property: string, type: string): object => ({
    type: 'webhook',
    name,
    description: `Runs ${name}.`,
    parameters: { type: 'object', properties: { [property]: { type } }, required: [property] },
    url: `${tools.url}${path}`,
    method: 'POST',
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

  it('takes place with audio: each question is understood, each answer is heard, each tool is called once', async () => {
    const call = await until('a test call is taken', async () => {
      const path = `/v1/agents/${customer.agentId}/test-calls`;
      const { status, body } = await customer.api.post<{ call_id: string; websocket_url: string; token: string }>(path);
      // A new engine may not have declared its capabilities yet; then the request is repeated.
      if (status === 201) return body;
      expect([status, body]).toEqual([400, expect.anything()]);
      return undefined;
    });
    const caller = await Caller.connect(call.websocket_url, call.token);
    await caller.hears('Good morning, how can I help?');
    for (const [place, question] of questions.entries()) {
      models.hears = question;
      const before = caller.heardBytes;
      await caller.say(sounds[place] as Buffer);
      await caller.hears(answerTo(question));
      expect(caller.said('caller')).toContain(question);
      // At least as much audio as the answer takes to say, at 16,000 samples of two bytes per second.
      expect(caller.heardBytes - before).toBeGreaterThan(answerTo(question).length * 40 * 32);
    }
    caller.send({ type: 'hang_up' });
    expect(await caller.closed).toBe(1000);
    expect(caller.notices.at(-1)).toMatchObject({ type: 'ended', ended_reason: 'caller_hung_up' });
    expect(await customer.finished(call.call_id)).toMatchObject({ status: 'completed', components_simulated: [] });
    transcript = await until('the transcript', async () => {
      const answer = await customer.api.get<{ turns: Turn[] }>(`/v1/calls/${call.call_id}/transcript`);
      return answer.status === 200 ? answer.body.turns : undefined;
    });
    expect(tools.requests.map(({ path, body }) => [path, body['arguments'], body['call_id']])).toEqual([
      ['/find', { number: 7 }, call.call_id],
      ['/book', { day: 'Friday' }, call.call_id],
    ]);
    expect(new Set(tools.requests.map(({ id }) => id)).size).toBe(2);
    for (const { path, raw, headers } of tools.requests) new Webhook(secrets.get(path) ?? '').verify(raw, headers);
    const [first] = tools.requests;
    const forged = () => new Webhook(secrets.get('/book') ?? '').verify(first?.raw ?? '', { ...first?.headers });
    expect(forged).toThrow();
    expect(models.keys).toEqual(new Set(['Bearer sk-own-stt', 'Bearer sk-own-llm', 'Bearer sk-own-tts']));
  });

  it('leaves a transcript with every turn, what the tools did, and how long each answer took', () => {
    expect(transcript.flatMap(({ speaker, text }) => (speaker === 'caller' ? [text] : []))).toEqual(questions);
    const answers = transcript.flatMap(({ speaker, text }) => (speaker === 'agent' && text !== '' ? [text] : []));
    expect(answers).toEqual(['Good morning, how can I help?', ...questions.map(answerTo)]);
    expect(transcript.flatMap(({ tool_calls: calls = [] }) => calls)).toMatchObject([
      { name: 'find_order', outcome: 'succeeded', arguments: '{"number":7}' },
      // Irreversible tools wait for the caller's confirmation.
      { name: 'book', outcome: 'confirmation_required', arguments: '{"day":"Friday"}' },
      { name: 'book', outcome: 'succeeded', arguments: '{"day":"Friday"}' },
    ]);
    const latencies = transcript.flatMap(({ latency }) => latency?.total_ms ?? []);
    expect(latencies.length).toBeGreaterThanOrEqual(questions.length);
    expect(Math.min(...latencies)).toBeGreaterThanOrEqual(600);
    const log = platform.log;
    for (const secret of ['sk-own-stt', 'sk-own-llm', 'sk-own-tts']) expect(log).not.toContain(secret);
  });

  it('is in the metrics of the engine: the latency of each answer by its parts, and underruns, without ids', async () => {
    const port = platform.processes.find(({ name }) => name === 'engine')?.health_port;
    const series = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
      .split('\n')
      .filter((line) => /^parley_(turn_latency_seconds_count|playout_underruns_total)\b/.test(line))
      .map((line) => {
        const labels = Object.fromEntries(
          [...line.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
        );
        return { labels, count: Number(line.slice(line.lastIndexOf(' '))) };
      });
    const parts = series.flatMap(({ labels: { part }, count }) => (part === undefined ? [] : [[part, count] as const]));
    expect(parts.map(([part]) => part).sort()).toEqual(['hold', 'model', 'total', 'transcript', 'voice']);
    for (const [, count] of parts) expect(count).toBeGreaterThan(0);
    const answered = transcript.filter(({ latency }) => latency?.total_ms !== undefined);
    expect(Object.fromEntries(parts)['total']).toBe(answered.length);
    expect(series).toHaveLength(parts.length + 1);
    expect([...new Set(series.flatMap(({ labels }) => Object.keys(labels)))].sort()).toEqual(['part', 'service']);
  });
});
