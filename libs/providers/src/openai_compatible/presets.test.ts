import { compatibleServers } from '@parley/contract';
import type { ModelEvent, ModelMessage } from '../language-model';
import { presets } from './presets';

interface Sent {
  readonly url: string;
  readonly authorization: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A server that answers each request with the next list of chunks. */
function server(...answers: readonly object[][]): { readonly sent: Sent[]; readonly fetch: typeof fetch } {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: (url, init) => {
      const body = JSON.parse(init?.body as string) as Sent['body'];
      sent.push({ url: url as string, authorization: new Headers(init?.headers).get('authorization'), body });
      const events = (answers[sent.length - 1] ?? []).map(
        (choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`,
      );
      const headers = { 'content-type': 'text/event-stream' };
      return Promise.resolve(new Response(`${events.join('')}data: [DONE]\n\n`, { headers }));
    },
  };
}

async function all(events: AsyncIterable<ModelEvent> | undefined): Promise<ModelEvent[]> {
  const read: ModelEvent[] = [];
  for await (const event of events ?? []) read.push(event);
  return read;
}

const done = { delta: {}, finish_reason: 'stop' };
const options = { temperature: 0.5, logit_bias: { a: 1 }, max_tokens: 100 };

async function reply(provider: string, account: object, messages: readonly ModelMessage[]): Promise<ModelEvent[]> {
  const model = presets.find(({ name }) => name === provider)?.model?.({ apiKey: 'key', ...account });
  const tools = [{ name: 'find', description: 'Finds', parameters: { type: 'object' } }];
  const request = { model: 'some-model', messages, tools, options };
  return all(model?.generate(request, new AbortController().signal));
}

describe.each(compatibleServers.map((one) => [one.provider, one] as const))('%s', (provider, { base_url: address }) => {
  it.each([
    ['its public address', undefined, address],
    ['the address of the credential', 'https://own.example/v1', 'https://own.example/v1'],
  ])('is asked at %s, with the options that it accepts', async (_title, baseUrl, expected) => {
    const { sent, fetch } = server([{ delta: { content: 'Hello.' }, finish_reason: null }, done]);
    const asked = reply(provider, { fetch, baseUrl }, [{ role: 'user', text: 'Hi' }]);
    if (expected === null) return expect(asked).rejects.toThrow('base_url');
    expect(await asked).toMatchObject([{ text: 'Hello.' }, { type: 'done' }]);
    expect(sent).toMatchObject([
      {
        url: `${expected}/chat/completions`,
        authorization: 'Bearer key',
        body: { model: 'some-model', max_tokens: 100 },
      },
    ]);
    expect(sent[0]?.body).not.toHaveProperty('logit_bias');
  });
});

it('what a server attached to a tool call is sent back with it, and with no other', async () => {
  const call = (id: string, extra: object) => ({ id, function: { name: 'find', arguments: '{}' }, ...extra });
  const signature = { google: { thought_signature: 'c2lnbmF0dXJl' } };
  const calls = [
    { index: 0, ...call('call_1', { extra_content: signature }) },
    { index: 1, ...call('call_2', {}) },
  ];
  const { sent, fetch } = server([{ delta: { tool_calls: calls }, finish_reason: 'tool_calls' }], [done]);
  const model = presets.find(({ name }) => name === 'google')?.model?.({ apiKey: 'key', fetch });
  const ask = (messages: readonly ModelMessage[]) =>
    all(model?.generate({ model: 'gemini', messages, tools: [], options: {} }, new AbortController().signal));
  const first = await ask([{ role: 'user', text: 'Find both.' }]);
  const toolCalls = first.flatMap((event) => (event.type === 'tool_call' ? [event.call] : []));
  const results = toolCalls.map(({ id }) => ({ role: 'tool' as const, toolCallId: id, text: 'found' }));
  await ask([{ role: 'user', text: 'Find both.' }, { role: 'assistant', text: '', toolCalls }, ...results]);
  expect((sent[1]?.body['messages'] as { tool_calls?: object[] }[])[1]?.tool_calls).toEqual([
    { type: 'function', ...call('call_1', { extra_content: signature }) },
    { type: 'function', ...call('call_2', {}) },
  ]);
});
