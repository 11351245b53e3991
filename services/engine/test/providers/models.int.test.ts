import { compatibleServers } from '@parley/contract';
import type { ProviderError } from '@parley/providers';
import { collected, replyOf, socketsGone, textOf } from './observing';
import { serverKey, type ProviderServer } from './servers/provider-server';
import { streamingAdapters } from '../../src/providers/streaming';
import { accountOf, having, subjects } from './subjects';

const tools = ['find_order', 'end_call'].map((name) => ({
  name,
  description: name,
  parameters: { type: 'object', properties: {} },
}));

const presets = compatibleServers.map(({ provider }) => provider);

it('every adapter of the list is tested by the conformance suite', () => {
  // The compatible servers are one adapter with different data.
  const tried = new Set([...subjects.map(({ adapter }) => adapter.name), ...presets]);
  expect(streamingAdapters.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
});

it.each(
  streamingAdapters.filter(({ requiresBaseUrl }) => requiresBaseUrl === true).map((one) => [one.name, one] as const),
)('the adapter %s throws without a base_url', (_, { model }) => {
  expect(() => model!({ apiKey: 'key' })).toThrow(/base_url/);
  expect(() => model!({ apiKey: 'key', baseUrl: '' })).toThrow(/base_url/);
});

describe.each(having('model').map((subject) => [subject.name, subject] as const))(
  'the model of %s',
  (name, subject) => {
    let server: ProviderServer | undefined;
    const model = () => subject.adapter.model!(accountOf(subject, server));

    beforeAll(async () => {
      server = await subject.server?.().start();
    });
    beforeEach(() => server?.fail(undefined));
    afterAll(() => server?.stop());
    afterEach(() => expect(server?.violations ?? []).toEqual([]));

    it('streams deltas, and `done` with a finish reason last', async () => {
      const { events, error } = await collected(replyOf(model(), {}));
      expect(error).toBeUndefined();
      expect(textOf(events)).toContain('You said: Hello');
      expect(events.filter(({ type }) => type === 'delta').length).toBeGreaterThan(2);
      expect(events.at(-1)).toMatchObject({ type: 'done', finishReason: 'stop' });
      expect(events.filter(({ type }) => type === 'done')).toHaveLength(1);
    });

    it('accepts a conversation that begins with the agent and contains tool calls', async () => {
      const { error, events } = await collected(
        replyOf(model(), {
          messages: [
            { role: 'system', text: 'Be brief.' },
            { role: 'assistant', text: 'Good day.' },
            { role: 'user', text: 'Where is my order?' },
            { role: 'assistant', text: '', toolCalls: [{ id: 'call_1', name: 'find_order', arguments: 'no JSON' }] },
            { role: 'tool', toolCallId: 'call_1', text: 'on its way' },
            { role: 'user', text: 'Hello' },
          ],
          tools,
        }),
      );
      expect(error).toBeUndefined();
      expect(textOf(events)).toContain('You said: Hello');
    });

    if (subject.server !== undefined) {
      it('reports complete tool calls before `done`', async () => {
        const { events } = await collected(
          replyOf(model(), { messages: [{ role: 'user', text: 'use the tools' }], tools }),
        );
        expect(events.filter(({ type }) => type === 'tool_call')).toEqual([
          { type: 'tool_call', call: { id: 'call_a', name: 'find_order', arguments: '{"number":7}' } },
          { type: 'tool_call', call: { id: 'call_b', name: 'end_call', arguments: '{}' } },
        ]);
        expect(events.at(-1)).toMatchObject({ type: 'done', finishReason: 'tool_calls' });
      });

      it('closes its connection after an abort, and reports no `done`', async () => {
        server!.fail('stall_midway');
        const controller = new AbortController();
        const events: string[] = [];
        let error: unknown;
        try {
          for await (const { type } of replyOf(model(), {}, controller.signal)) {
            events.push(type);
            if (events.length === 2) setImmediate(() => controller.abort());
          }
        } catch (thrown) {
          error = thrown;
        }
        await socketsGone(server!);
        expect((error as ProviderError).code).toBe('canceled');
        expect(events).not.toContain('done');
      });

      it('closes its connection when the reader stops reading', async () => {
        server!.fail('stall_midway');
        for await (const event of replyOf(model(), {})) if (event.type === 'delta') break;
        await socketsGone(server!);
      });

      it('does not reveal the key in errors', async () => {
        server!.fail('unauthorized');
        const { error } = await collected(replyOf(model(), {}));
        expect(JSON.stringify(error) + String(error?.stack) + String(error?.message)).not.toContain(serverKey);
        expect(error?.cause).toBeUndefined();
      });
    }

    it('ends with `canceled` if the signal was aborted before', async () => {
      const { events, error } = await collected(replyOf(model(), {}, AbortSignal.abort()));
      expect([events, error?.code]).toEqual([[], 'canceled']);
    });
  },
);
