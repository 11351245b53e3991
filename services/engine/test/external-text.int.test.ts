import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createLogger, systemClock } from '@parley/runtime';
import { createAddressPolicy } from '@parley/service';
import { Webhook } from 'standardwebhooks';
import type { ModelInput } from '../src/core/inputs';
import { createVettedNetwork } from '../src/providers/vetted';
import { ExternalReplies } from '../src/session/external-replies';
import { runCall } from './running-calls';

const log = createLogger({ service: 'test', level: 'silent' });
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const talkative = '+15005550006';

describe('an agent in mode external_text, whose replies come from the customer’s server', () => {
  interface Asked {
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
    closed: boolean;
  }
  const asked: Asked[] = [];
  let server: Server;
  let answer: RequestListener;

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const one: Asked = { headers: request.headers, body, closed: false };
        asked.push(one);
        response.on('close', () => (one.closed = true));
        answer(request, response);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => void asked.splice(0));
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });

  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/turns`;
  const json =
    (value: unknown, status = 200): RequestListener =>
    (_, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const stream =
    (text: string, type = 'text/event-stream; charset=utf-8'): RequestListener =>
    (_, response) =>
      response.writeHead(200, { 'content-type': type }).end(text);
  const talk = (greeting = 'Good morning.', signing_secrets = [secret]) =>
    runCall(talkative, { mode: 'external_text', publication: { first_message: greeting } }, undefined, {
      url: url(),
      signing_secrets,
    });
  const agentTurns = ({ completed }: Awaited<ReturnType<typeof runCall>>): string[] =>
    (completed.transcript?.turns ?? []).filter(({ speaker }) => speaker === 'agent').map(({ text }) => text);

  it('says the server’s reply to each turn, which is sent signed and with the transcript', async () => {
    answer = json({ text: 'From my own server.' });
    const call = await talk();
    expect(agentTurns(call).slice(0, 2)).toEqual(['Good morning.', 'From my own server.']);
    const bodies = asked.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(bodies.length).toBeGreaterThan(1);
    expect(bodies[0]).toEqual({
      type: 'turn',
      call_id: 'call_of_job_1',
      agent_id: '',
      turn_id: expect.any(String),
      text: expect.any(String),
      transcript: expect.any(Array),
      variables: { brand: 'Acme' },
    });
    const transcript = bodies[1]?.['transcript'] as { speaker: string; text: string }[];
    expect(transcript).toContainEqual({ speaker: 'agent', text: 'From my own server.' });
    expect(transcript.at(-1)).toEqual({ speaker: 'caller', text: bodies[1]?.['text'] });
    expect(new Set(bodies.map((body) => body['turn_id'])).size).toBe(bodies.length);
    for (const { headers, body } of asked)
      expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
    expect(asked[0]?.headers['webhook-id']).toBe(`call_of_job_1_${String(bodies[0]?.['turn_id'])}`);
  });

  it('sends unsigned requests as long as it has no secret', async () => {
    answer = json({ text: 'Hello.', end_call: true });
    await talk('', []);
    expect(asked[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  it('ends the call if the server answers end_call: true', async () => {
    answer = json({ text: 'That is all.', end_call: true });
    const call = await talk();
    expect(asked).toHaveLength(1);
    expect(call.events.at(-1)).toMatchObject({ type: 'ended', ended_reason: 'agent_hung_up' });
    expect(agentTurns(call).at(-1)).toBe('That is all.');
  });

  it('says streamed deltas as one reply', async () => {
    const events = ['event: delta\r\ndata: {"text":"One. "}', 'event: delta\ndata: {"text":\ndata: "Two."}'];
    answer = stream(
      `: comment\n\n${events.join('\r\n\r\n')}\n\nevent: other\ndata: x\n\nevent: done\ndata: {"end_call":true}\n\n`,
    );
    const call = await talk();
    expect(agentTurns(call).at(-1)).toBe('One. Two.');
    expect(call.events.at(-1)).toMatchObject({ ended_reason: 'agent_hung_up' });
  });

  it('transfers the call to the transfer_to of the answer', async () => {
    answer = json({ text: 'One moment.', transfer_to: '+4930123' });
    const call = await talk();
    expect(call.events.at(-1)).toMatchObject({ type: 'ended', ended_reason: 'transferred' });
    expect(call.transfers).toMatchObject([{ to: '+4930123', kind: 'cold' }]);
  });

  it.each<[string, RequestListener, RegExp]>([
    ['an error', json({}, 500), /status: HTTP 500/],
    ['a redirect, which is not followed', (_, r) => r.writeHead(307, { location: url() }).end(), /status: HTTP 307/],
    ['text that is not JSON', stream('hello', 'application/json'), /invalid_answer/],
    ['an array', json([]), /invalid_answer/],
    ['a text of another type', json({ text: 5 }), /invalid_answer/],
    ['no text', json({}), /invalid_answer/],
    ['a stream without the event done', stream('event: other\ndata: {}\n\n'), /invalid_answer/],
    ['more than 64 KiB', json({ text: 'x'.repeat(64 * 1024) }), /too_large/],
    ['a connection that is closed', (request) => request.socket.destroy(), /connection_failed/],
  ])(
    'asks the caller to repeat if the server answers %s, and ends the call at the third time',
    async (_, fault, code) => {
      answer = fault;
      const call = await talk('');
      expect(agentTurns(call)).toEqual(Array(2).fill('Sorry, could you say that again?'));
      expect(asked).toHaveLength(3);
      expect(call.events.at(-1)).toMatchObject({
        ended_reason: 'agent_unresponsive',
        reason_detail: 'model_unresponsive',
        problems: expect.arrayContaining([
          { code: 'external_server_failed', detail: expect.stringMatching(code), at: expect.any(String) },
        ]),
      });
    },
  );

  it('does not conduct a call without a configured URL', async () => {
    const external = { url: '', signing_secrets: [secret] };
    const { events } = await runCall(talkative, { mode: 'external_text' }, undefined, external);
    expect(events).toMatchObject([{ type: 'failed', ended_reason: 'configuration_not_runnable' }]);
  });

  describe('one request', () => {
    function attempt(development = true, firstMs = 60_000) {
      const network = createVettedNetwork(createAddressPolicy({ development }));
      const { fetch: send = fetch } = network.accountOf({ apiKey: undefined, baseUrl: url() });
      const inputs: ModelInput[] = [];
      const problems: string[] = [];
      let released: () => void;
      const over = new Promise<void>((resolve) => (released = resolve));
      const replies = new ExternalReplies({
        server: { url: url(), fetch: send },
        secrets: [],
        subject: { agentId: 'agt_1', of: { call_id: 'call_1' }, variables: {} },
        callId: 'call_1',
        fallback: '',
        now: () => systemClock.now(),
        onInput: (input) => inputs.push(input),
        note: ({ detail }) => problems.push(detail),
        hold: () => () => released(),
        log,
        firstMs,
      });
      replies.start({
        type: 'start_model',
        attempt: 1,
        retry: 0,
        speculative: false,
        turnId: 'turn_1',
        history: [],
        mayCallTools: true,
      });
      return { replies, inputs, problems, over: over.finally(() => network.close()) };
    }

    it('is aborted without a result if it is canceled', async () => {
      const reached = new Promise<void>((resolve) => (answer = () => resolve()));
      const { replies, inputs, problems, over } = attempt();
      await reached;
      const [one] = asked;
      replies.cancel(1);
      await over;
      expect([inputs, problems]).toEqual([[], []]);
      await new Promise<void>((resolve) => {
        const wait = (): void => (one?.closed === true ? resolve() : void setImmediate(wait));
        wait();
      });
    });

    it('fails with a timeout if no data arrives in time', async () => {
      answer = (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      const { inputs, problems, over } = attempt(true, 200);
      await over;
      expect(inputs).toEqual([{ type: 'model_failed', attempt: 1, retry: false }]);
      expect(problems).toEqual([expect.stringMatching(/timeout/)]);
    });

    it('is not sent to an address that is not public', async () => {
      answer = json({ text: 'x' });
      const { inputs, problems, over } = attempt(false);
      await over;
      expect(asked).toEqual([]);
      expect(inputs).toMatchObject([{ type: 'model_failed' }]);
      expect(problems).toEqual([expect.stringMatching(/connection_failed/)]);
    });
  });

  describe('examples/external-text', () => {
    let example: ChildProcess;
    let port: string;

    beforeAll(async () => {
      const path = join(__dirname, '../../../examples/external-text/server.mjs');
      const env = { ...process.env, PARLEY_SECRET: secret, PORT: '0' };
      example = spawn(process.execPath, [path], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = (await once(example.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
      port = /\d+/.exec(String(line))?.[0] ?? '';
    });
    afterAll(() => example?.kill());

    const call = (signing: string) =>
      runCall(talkative, { mode: 'external_text', publication: { first_message: '' } }, undefined, {
        url: `http://127.0.0.1:${port}/`,
        signing_secrets: [signing],
      });

    it('replies to the caller', async () => {
      const turns = agentTurns(await call(secret));
      expect(turns).toContainEqual(expect.stringMatching(/^Hello there|^You said: .* That was turn 1\.$/));
      expect(turns.some((text) => text.startsWith('You said: '))).toBe(true);
    });

    it('refuses a request with a wrong signature with 401', async () => {
      const { events } = await call(`whsec_${randomBytes(32).toString('base64')}`);
      expect(events.at(-1)).toMatchObject({
        problems: expect.arrayContaining([expect.objectContaining({ detail: expect.stringMatching(/HTTP 401/) })]),
      });
    });
  });
});
