import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WorkerJobComplete, WorkerJobEvent } from '@parley/contract';
import { openaiCompatible, type LanguageModel } from '@parley/providers';
import { createLogger } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { runChat } from '../../src/session/run-chat';
import { jobTo } from '../jobs';
import { Random } from '../random';
import { environmentWith, willingPlatform } from '../running-calls';
import { collected, replyOf, textOf } from './observing';

/** Servers of models that customers run. What they write must affect only its own turn, and not the process that conducts the others. */
interface Answer {
  readonly status?: number;
  readonly body: string;
}

const log = createLogger({ service: 'test', level: 'silent' });
const answers: Answer[] = [];
const asked: { role: string; content: string }[][] = [];
let server: Server;
let baseUrl: string;
let model: LanguageModel;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push((JSON.parse(Buffer.concat(chunks).toString()) as { messages: (typeof asked)[number] }).messages);
      const { status = 200, body } = answers.shift() ?? said('Fine.');
      response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' });
      response.end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  model = openaiCompatible.model!({ apiKey: undefined, baseUrl });
});
beforeEach(() => {
  answers.length = 0;
  asked.length = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const chunk = (delta: unknown, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const finished = (reason = 'stop'): string => `${chunk({}, reason)}data: [DONE]\n\n`;
const said = (...texts: unknown[]): Answer => ({
  body: texts.map((content) => chunk({ content })).join('') + finished(),
});
const calls = (...pieces: object[]): Answer => ({
  body: pieces.map((piece) => chunk({ tool_calls: [piece] })).join('') + finished('tool_calls'),
});
const of = (name: unknown, written: unknown, more: object = {}) => ({
  ...more,
  type: 'function',
  function: { name, arguments: written },
});
const tools = ['now', 'weather', 'get_weather'].map((name) => ({ name, description: name, parameters: {} }));

describe('tool calls', () => {
  it.each<[string, object[], [string, string][]]>([
    [
      'two with one index',
      [of('now', '{}', { index: 0, id: 'b1' }), of('weather', '{"city":"Rome"}', { index: 0, id: 'b2' })],
      [
        ['now', '{}'],
        ['weather', '{"city":"Rome"}'],
      ],
    ],
    [
      'two without indexes and ids',
      [of('now', '{}'), of('weather', '{"city":"Rome"}')],
      [
        ['now', '{}'],
        ['weather', '{"city":"Rome"}'],
      ],
    ],
    [
      'two with one id and different indexes',
      [of('now', '{}', { index: 0, id: 'a' }), of('weather', '{}', { index: 1, id: 'a' })],
      [
        ['now', '{}'],
        ['weather', '{}'],
      ],
    ],
    [
      'one whose name is repeated in each piece',
      [of('weather', '{"ci', { index: 0, id: 'a' }), of('weather', 'ty":1}', { index: 0, id: 'a' })],
      [['weather', '{"city":1}']],
    ],
    [
      'the same twice',
      [of('now', '{}', { index: 0 }), of('now', '{}', { index: 0 })],
      [
        ['now', '{}'],
        ['now', '{}'],
      ],
    ],
    ['one whose name comes in pieces', [of('get_', ''), of('weather', '{}')], [['get_weather', '{}']]],
    ['no arguments', [of('now', '', { index: 0 })], [['now', '{}']]],
    ['absent arguments', [of('now', undefined, { index: 0 })], [['now', '{}']]],
    ['null arguments', [of('now', null, { index: 0 })], [['now', '{}']]],
    ['the text null', [of('now', 'null', { index: 0 })], [['now', '{}']]],
    ['an object', [of('now', { a: 1 }, { index: 0 })], [['now', '{"a":1}']]],
    ['127', [of('now', '{}', { index: 127 })], [['now', '{}']]],
    ...['__proto__', 'constructor', 'length', '0', -1, 1.5, 128, 4_294_967_294].map(
      (index): [string, object[], [string, string][]] => [
        `index ${index}`,
        [of('now', '{}', { index })],
        [['now', '{}']],
      ],
    ),
  ])('with %s are understood, and change nothing in the process', async (_, pieces, expected) => {
    answers.push(calls(...pieces));
    const { events, error } = await collected(replyOf(model, { tools }));
    expect(error).toBeUndefined();
    const found = events.flatMap((event) =>
      event.type === 'tool_call' ? [[event.call.name, event.call.arguments]] : [],
    );
    expect(found).toEqual(expected);
    expect(Object.keys(Array.prototype)).toEqual([]);
  });

  it('are at most 128 in a reply', async () => {
    answers.push(calls(...Array.from({ length: 129 }, (_, index) => of('now', '{}', { index, id: `c${index}` }))));
    expect((await collected(replyOf(model, { tools }))).error).toMatchObject({ code: 'invalid_answer' });
  });
});

it.each<[string, unknown, string]>([
  [
    'a list of texts',
    [
      { type: 'text', text: 'It costs ' },
      { type: 'text', text: 'five.' },
    ],
    'It costs five.',
  ],
  [
    'a list with a thought',
    [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Five.' },
    ],
    'Five.',
  ],
  ['a list of strings', ['Five.'], 'Five.'],
  ['a number', 5, ''],
  ['an object', { text: 'x' }, ''],
])('content that is %s is read', async (_, content, expected) => {
  answers.push(said(content));
  const { events, error } = await collected(replyOf(model, {}));
  expect([textOf(events), error]).toEqual([expected, undefined]);
});

const filtered: Answer = {
  status: 400,
  body: JSON.stringify({
    error: {
      message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      ...{ type: null, param: 'prompt', code: 'content_filter', status: 400 },
      innererror: { code: 'ResponsibleAIPolicyViolation' },
    },
  }),
};
const empty = said('');
const filteredEmpty: Answer = { body: finished('content_filter') };
const refused: Answer = { status: 400, body: '{"error":{"message":"no","code":"bad","type":"invalid_request_error"}}' };

/** A chat with this server as its model. Resolves when the chat is open. */
function chat() {
  const events: WorkerJobEvent[] = [];
  const completed: WorkerJobComplete[] = [];
  const platform = willingPlatform(events, completed);
  const credential = { kind: 'llm', provider: 'openai_compatible', component_credential_id: 'cred_1', secret: null };
  const underLease = () =>
    Promise.resolve({
      ...{ call_id: 'call_of_job_1', tools: [], connections: [], external: null },
      components: [{ ...credential, base_url: baseUrl }],
    });
  const publication = {
    system_prompt: '',
    first_message: 'Hello.',
    model: { provider: 'openai_compatible', model: 'm' },
  };
  const job = jobTo('', 'job_1', { publication });
  const call = runChat(environmentWith({ ...platform, underLease }), { job, log }, 60_000);
  const write = async (fields: Record<string, unknown> = {}): Promise<unknown> => {
    await eventually(() => events.some(({ type }) => type === 'media_started') || undefined);
    return ((await call.command?.({ type: 'chat', fields })) as { result?: unknown }).result;
  };
  const end = async () => {
    await call.command?.({ type: 'chat', fields: { leaves: true } });
    await call.done;
    const problems = events.at(-1)?.problems?.map(({ code }) => code) ?? [];
    return { problems: [...new Set(problems)], turns: completed[0]?.transcript?.turns ?? [] };
  };
  return { write, end };
}

const apology = 'Sorry, I cannot answer that. Could you say it in another way?';

describe('a chat goes on after', () => {
  it.each<[string, Answer[], string, string[], number]>([
    ['U+0000', [said('It costs A\u0000B euros.')], 'It costs A\ufffdB euros.', [], 1],
    ['half a character', [said('That is great \ud83d it costs five.')], 'That is great \ufffd it costs five.', [], 1],
    ['a character over two deltas', [said('Fine \ud83d', '\udc4d')], 'Fine 👍', [], 1],
    ['a thought', [said('<thi', 'nk>Not the discount.</think>It costs five euros.')], 'It costs five euros.', [], 1],
    [
      'markdown',
      [said('**Basic** is $5, see [prices](https://example.com/p?x=1) 😀')],
      '**Basic** is $5, see [prices](https://example.com/p?x=1) 😀',
      [],
      1,
    ],
    ['an empty answer', [empty], 'Fine.', ['empty_reply'], 2],
    ['two empty answers', [empty, empty], apology, ['empty_reply'], 2],
    ['a thought alone', [said('<think>Hm.</think>')], 'Fine.', ['empty_reply'], 2],
    ['a filtered turn', [filtered], 'Fine.', ['content_filtered'], 2],
    ['a turn that is filtered twice', [filtered, filtered], apology, ['content_filtered'], 2],
    ['a filtered answer', [filteredEmpty, filteredEmpty], apology, ['content_filtered'], 2],
    [
      'a break in the middle',
      [{ body: chunk({ content: 'It costs ' }) }, said('five.')],
      'It costs five.',
      ['provider_failed'],
      2,
    ],
    ['a turn that is refused', [refused], 'Fine.', ['component_failed', 'provider_failed', 'turn_dropped'], 2],
  ])('%s', async (_, first, expected, problems, requests) => {
    const { write, end } = chat();
    await write();
    answers.push(said('Yes.'), ...first);
    expect(await write({ text: 'Are you there?' })).toMatchObject({ agent_text: 'Yes.' });
    expect(await write({ text: 'The odd one.' })).toMatchObject({ agent_text: expected, status: 'open' });
    expect(asked).toHaveLength(1 + requests);
    expect(new Set(asked.map((messages) => JSON.stringify(messages))).size).toBe(1 + requests);
    expect(await write({ text: 'And now?' })).toMatchObject({ agent_text: 'Fine.', status: 'open' });
    const later = asked.at(-1)?.map(({ content }) => content) ?? [];
    const leftOut = problems.includes('content_filtered') || problems.includes('turn_dropped');
    expect(later.includes('The odd one.')).toBe(!leftOut);
    expect(later.some((content) => content.includes('think') || content.includes('discount'))).toBe(false);
    const ended = await end();
    expect(ended.problems.sort()).toEqual(problems);
    expect(ended.turns.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text)).toEqual([
      ...['Hello.', 'Yes.', expected, 'Fine.'],
    ]);
  });
});

/** Replies of a server that is broken in every way, by seed. */
function hostile(random: Random): Answer {
  const pick = <T>(...from: T[]): T => random.of(from);
  const text = (): unknown =>
    pick<unknown>(
      ...['\0', '\ud83d', '\udc4d', '\u202eabc\u2066', '<thi', 'nk>', '</th', 'ink>', '<think>', 'It costs five. ', ''],
      ...['x'.repeat(1024 * 1024), '[link](', 'http://', '| a |\n', null, 7, {}, [], [{ type: 'text', text: '\0' }]],
    );
  const delta = (): unknown =>
    pick<unknown>(
      { content: text() },
      { content: text(), role: pick<unknown>('assistant', 'user', 'tool', 5) },
      { tool_calls: [of(text(), text(), { index: pick<unknown>(0, -1, 'x', null), id: text() })] },
      { tool_calls: pick<unknown>({}, 'x', [null], [5]) },
      { reasoning_content: text() },
      ...[null, 5, 'x', []],
    );
  const body = Array.from({ length: random.between(0, 5) }, () => chunk(delta())).join('');
  const end = pick(
    finished(),
    finished('length'),
    finished('content_filter'),
    finished('tool_calls'),
    '',
    'data: {"cho\n\n',
  );
  return pick<Answer>({ body: body + end }, { body: body + end }, { body: body + end }, filtered, refused, {
    status: 500,
    body: JSON.stringify(text()),
  });
}

it('no hostile reply loses a later turn or reaches the record in a form that it refuses', async () => {
  const random = new Random(7);
  for (let round = 0; round < 8; round += 1) {
    const { write, end } = chat();
    await write();
    answers.push(said('Yes.'));
    await write({ text: 'Are you there?' });
    let open = true;
    for (let turn = 0; turn < 5 && open; turn += 1) {
      for (let n = 0; n < 6; n += 1) answers.push(hostile(random));
      const result = (await write({ text: `turn ${turn}` })) as { status?: string } | undefined;
      open = result?.status === 'open';
      answers.length = 0;
      if (!open) break;
      expect(await write({ text: 'And now?' })).toMatchObject({ agent_text: 'Fine.' });
    }
    const { turns } = await end();
    const written = JSON.stringify(turns);
    expect(written).not.toMatch(/\\u0000|\\ud[89a-f]/i);
    expect(turns.length).toBeGreaterThan(1);
  }
});
