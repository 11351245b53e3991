import type { StreamingAdapter } from './adapter';
import { bordered, mostWritten } from './border';
import type { ModelEvent } from './language-model';
import type { TranscriptionEvent } from './transcriber';

const capabilities = { tools: true, parallelToolCalls: true };
const done: ModelEvent = { type: 'done', finishReason: 'stop' };
const account = { apiKey: undefined };
const request = { model: undefined, messages: [], tools: [], options: {} };

async function passed(events: Iterable<ModelEvent>): Promise<ModelEvent[]> {
  const adapter: StreamingAdapter = {
    name: 'any',
    requiresKey: false,
    model: () => ({
      capabilities,
      async *generate() {
        await Promise.resolve();
        yield* events;
      },
    }),
  };
  const received: ModelEvent[] = [];
  for await (const event of bordered(adapter).model!(account).generate(request, new AbortController().signal))
    received.push(event);
  return received;
}

const deltas = (...texts: unknown[]): ModelEvent[] => texts.map((text) => ({ type: 'delta', text: text as string }));
const textOf = (events: readonly ModelEvent[]): string =>
  events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('');

it.each([
  [['It costs A\0B euros.'], 'It costs A\ufffdB euros.'],
  [['That is great \ud83d it costs five.'], 'That is great \ufffd it costs five.'],
  [['fine \ud83d', '\udc4d'], 'fine 👍'],
  [['ends \ud83d'], 'ends \ufffd'],
  [['<thi', 'nk>The user wants a price.</th', 'ink>It costs five euros.'], 'It costs five euros.'],
  [['<think>never ends'], ''],
  [[undefined, 7, { text: 'x' }, 'words'], 'words'],
])('the deltas %j of a model become %j', async (texts, expected) => {
  const events = await passed([...deltas(...texts), done]);
  expect(textOf(events)).toBe(expected);
  expect(events.at(-1)).toEqual(done);
});

it.each([
  ['', '{}'],
  ['null', '{}'],
  [' null ', '{}'],
  ['{"a":"\ud83d"}', '{"a":"\ufffd"}'],
  ['x'.repeat(mostWritten.toolArguments + 1), 'x'.repeat(mostWritten.toolArguments)],
])('the arguments %j of a tool become %j', async (written, expected) => {
  const call = { id: 'a\0', name: 'n\0', arguments: written };
  const events = await passed([{ type: 'tool_call', call }, done]);
  expect(events[0]).toEqual({ type: 'tool_call', call: { id: 'a\ufffd', name: 'n\ufffd', arguments: expected } });
});

it('cuts a reply that is longer than any call can speak, and stops reading it', async () => {
  let written = 0;
  let closed = false;
  function* endless(): Iterable<ModelEvent> {
    try {
      for (;;) {
        written += 1_000;
        yield { type: 'delta', text: 'a'.repeat(1_000) };
      }
    } finally {
      closed = true;
    }
  }
  const events = await passed(endless());
  expect([textOf(events).length, events.at(-1)]).toEqual([mostWritten.reply, { type: 'done', finishReason: 'length' }]);
  expect([closed, written]).toEqual([true, 33_000]);
});

it.each<[Partial<TranscriptionEvent> & { type: string }, object]>([
  [
    { type: 'final', segment: 0, text: 'a\0', language: 'pt_BR' },
    { type: 'final', segment: 0, text: 'a\ufffd', language: 'pt-BR' },
  ],
  [
    { type: 'final', segment: 0, text: 'a', language: '\0' },
    { type: 'final', segment: 0, text: 'a' },
  ],
  [
    { type: 'partial', segment: 1, text: '\udc4d' },
    { type: 'partial', segment: 1, text: '\ufffd' },
  ],
  [
    { type: 'turn_hint', finished: 0.5 },
    { type: 'turn_hint', finished: 0.5 },
  ],
])('the event %j of a transcriber becomes %j', (given, expected) => {
  const events: TranscriptionEvent[] = [];
  const adapter: StreamingAdapter = {
    name: 'any',
    requiresKey: false,
    transcriber: () => ({
      capabilities: { partials: true, turnHints: true, switchesLanguage: true, detectsLanguage: true },
      open: (_options, onEvent) => {
        onEvent(given as TranscriptionEvent);
        return { write() {}, finalize() {}, setLanguage() {}, close() {} };
      },
    }),
  };
  const options = { model: '', language: 'en', alternatives: [], sampleRate: 8_000 as const, phrases: [], options: {} };
  const { signal } = new AbortController();
  bordered(adapter).transcriber!(account, undefined).open(options, (event) => events.push(event), signal);
  expect(events).toEqual([expected]);
});
