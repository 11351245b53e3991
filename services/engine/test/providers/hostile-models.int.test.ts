import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openaiCompatible, type LanguageModel } from '@parley/providers';
import { collected, replyOf } from './observing';

/** Servers that customers run: a reply of theirs must affect only its own call, and not the process that conducts the others. */
describe('a model server that numbers its tool calls', () => {
  let server: Server;
  let index: unknown;
  let model: LanguageModel;

  beforeAll(async () => {
    const chunk = (delta: object, finish_reason: string | null = null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    server = createServer((request, response) => {
      request.resume();
      const call = { index, id: 'call_a', function: { name: 'find_order', arguments: '{}' } };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`${chunk({ tool_calls: [call] })}${chunk({}, 'tool_calls')}data: [DONE]\n\n`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    model = openaiCompatible.model!({ apiKey: undefined, baseUrl });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each([0, 127, undefined])('from %p is understood', async (given) => {
    index = given;
    const { events, error } = await collected(replyOf(model, {}));
    expect(error).toBeUndefined();
    expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
  });

  it.each(['__proto__', 'constructor', 'length', '0', -1, 1.5, 128, 4_294_967_294])(
    'with %p gets invalid_answer immediately, and changes nothing in the process',
    async (given) => {
      index = given;
      const { events, error } = await collected(replyOf(model, {}));
      expect(error).toMatchObject({ code: 'invalid_answer' });
      expect(events).toEqual([]);
      expect(Object.keys(Array.prototype)).toEqual([]);
    },
  );
});
