import type { SpokenWord, SynthesisEvent } from '@parley/providers';
import { collected, samplesOf, socketsGone } from './observing';
import { msPerCharacter } from './servers/sound';
import type { ProviderServer } from './servers/provider-server';
import { accountOf, having, synthesis, voice } from './subjects';

const pieces = ['Good day, this is ', 'the front desk. ', 'How may I help ', 'you today?'];
const text = pieces.join('');

afterAll(() => voice.stop());

describe.each(having('synthesizer').map((subject) => [subject.name, subject] as const))(
  'the voice of %s',
  (_, subject) => {
    let server: ProviderServer | undefined;
    const open = (options = {}, signal = new AbortController().signal) =>
      subject.adapter.synthesizer!(accountOf(subject, server)).open(synthesis(options), signal);
    const spoken = (options = {}) => {
      const stream = open(options);
      for (const piece of pieces) stream.write(piece);
      stream.end();
      return stream;
    };

    beforeAll(async () => {
      server = await subject.server?.().start();
    });
    beforeEach(() => server?.fail(undefined));
    afterAll(() => server?.stop());
    afterEach(() => expect(server?.violations ?? []).toEqual([]));

    it.each([8_000, 16_000] as const)(
      'speaks the complete text at %d Hz, and reports `done` last',
      async (sampleRate) => {
        const { events, error } = await collected(spoken({ sampleRate }).events);
        expect(error).toBeUndefined();
        expect(events.at(-1)).toEqual({ type: 'done' });
        expect(events.filter(({ type }) => type === 'done')).toHaveLength(1);
        const ms = (samplesOf(events) * 1000) / sampleRate;
        if (server === undefined) expect(ms).toBeGreaterThan(1_000);
        // An adapter may send an additional space.
        else expect(Math.abs(ms - text.length * msPerCharacter)).toBeLessThan(3 * msPerCharacter);
      },
    );

    it('reports words in order and with their positions in the text, if it supports timestamps', async () => {
      const { events } = await collected(spoken().events);
      const words = events.flatMap((event): readonly SpokenWord[] => (event.type === 'words' ? event.words : []));
      const { capabilities } = subject.adapter.synthesizer!(accountOf(subject, server));
      expect(words.map(({ offset, length }) => text.slice(offset, offset + length))).toEqual(
        capabilities.timestamps ? text.split(' ') : [],
      );
      for (const [n, { startMs, offset }] of words.entries()) {
        expect(startMs).toBeGreaterThanOrEqual(words[n - 1]?.endMs ?? 0);
        expect(Math.abs(startMs - offset * msPerCharacter)).toBeLessThan(2 * msPerCharacter);
      }
    });

    it('buffers everything for a slow reader', async () => {
      const stream = open();
      const sentence = 'This is one of many sentences that nothing is in a hurry to hear. ';
      for (let n = 0; n < 40; n += 1) stream.write(sentence);
      stream.end();
      let samples = 0;
      let read = 0;
      for await (const event of stream.events) {
        if (event.type === 'audio') samples += event.samples.length;
        if (++read % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      const ms = samples / 16;
      if (server !== undefined) expect(ms).toBeGreaterThanOrEqual(0.99 * 40 * sentence.length * msPerCharacter);
      else expect(ms).toBeGreaterThan(40_000);
    });

    it('ends without audio for empty input', async () => {
      const stream = open();
      stream.end();
      const { events, error } = await collected(stream.events);
      expect([events, error]).toEqual([[{ type: 'done' }], undefined]);
    });

    it('ends with `canceled` after an abort, and closes its connection', async () => {
      server?.fail('stall_midway');
      const controller = new AbortController();
      const stream = open({}, controller.signal);
      for (const piece of pieces) stream.write(piece);
      const events: SynthesisEvent[] = [];
      const iterator = stream.events[Symbol.asyncIterator]();
      const first = await iterator.next();
      if (first.done !== true) events.push(first.value);
      controller.abort();
      await expect(iterator.next()).rejects.toMatchObject({ code: 'canceled' });
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
      expect(events.map(({ type }) => type)).toEqual(['audio']);
      if (server !== undefined) await socketsGone(server);
    });

    it('closes its connection when the reader stops or the text is complete', async () => {
      for await (const event of spoken().events) if (event.type === 'audio') break;
      if (server !== undefined && !subject.name.startsWith('openai')) await socketsGone(server);
      await collected(spoken().events);
      if (server !== undefined && !subject.name.startsWith('openai')) await socketsGone(server);
    });
  },
);
