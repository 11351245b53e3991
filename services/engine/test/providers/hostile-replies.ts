import type { ModelEvent } from '@parley/providers';
import { Random } from '../random';
import { hostile } from './hostile';
import { collected, listening, replyOf, textOf, tone } from './observing';
import type { ProviderServer } from './servers/provider-server';
import { accountOf, having, synthesis, transcription, type Subject } from './subjects';

/** Short, because a hostile server often says nothing more. */
const impatient = { connectMs: 5_000, firstMs: 150, betweenMs: 150 };
const atOnce = 25;

function expectWellFormed(texts: readonly string[], most: number): void {
  expect(texts.filter((text) => !text.isWellFormed() || text.includes('\0') || text.length > most)).toEqual([]);
}

const textsIn = (events: readonly ModelEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'tool_call' ? [event.call.id, event.call.name, event.call.arguments] : []));

/** One exchange; `isHostile` says whether its result may be a failure. */
type Ask = (server: ProviderServer, isHostile: boolean) => Promise<void>;

/**
 * Asks every adapter with a server so many times while the server is hostile, and in between while it is not. An answer that breaks the protocol may fail with a
 * ProviderError and nothing else, and every later request is answered as if it had not been.
 */
export function testHostileReplies(replies: number, seed: number): void {
  const overNetwork = (part: 'model' | 'transcriber' | 'synthesizer') =>
    having(part).flatMap((subject) => (subject.server === undefined ? [] : [[subject.name, subject] as const]));

  const longestMs = 60_000 + replies * 100;

  async function rounds({ server: create }: Subject, ask: Ask): Promise<void> {
    const server = await create!().start();
    const random = new Random(seed);
    try {
      for (let done = 0; done < replies; done += atOnce) {
        server.fail(undefined);
        server.mangle = hostile(random);
        await Promise.all(Array.from({ length: Math.min(atOnce, replies - done) }, () => ask(server, true)));
        server.mangle = undefined;
        await ask(server, false);
      }
    } finally {
      await server.stop();
    }
  }

  it.each(overNetwork('model'))(
    'the model of %s',
    (_, subject) =>
      rounds(subject, async (server, isHostile) => {
        const model = subject.adapter.model!(accountOf(subject, server, isHostile ? impatient : {}));
        let { events, error } = await collected(replyOf(model, {}));
        // A kept connection that broke is noticed by the next request; a call asks three times too.
        for (let again = 0; again < 2 && !isHostile && error !== undefined; again += 1)
          ({ events, error } = await collected(replyOf(model, {})));
        expectWellFormed([textOf(events)], 32 * 1024);
        expectWellFormed(textsIn(events), 64 * 1024);
        if (!isHostile) expect([error, textOf(events)]).toEqual([undefined, 'You said: Hello. That was all of it.']);
      }),
    longestMs,
  );

  it.each(overNetwork('synthesizer'))(
    'the voice of %s',
    (_, subject) =>
      rounds(subject, async (server, isHostile) => {
        const voice = subject.adapter.synthesizer!(accountOf(subject, server, isHostile ? impatient : {}));
        const stream = voice.open(synthesis(), new AbortController().signal);
        stream.write('Good day.');
        stream.end();
        const { events, error } = await collected(stream.events);
        if (!isHostile) expect([error, events.at(-1)]).toEqual([undefined, { type: 'done' }]);
      }),
    longestMs,
  );

  it.each(overNetwork('transcriber'))(
    'the transcriber of %s',
    (_, subject) =>
      rounds(subject, async (server, isHostile) => {
        const account = accountOf(subject, server, isHostile ? impatient : {});
        const transcriber = subject.adapter.transcriber!(account, subject.model);
        const { stream, events, finals, failure, say } = listening(
          transcriber,
          transcription({ model: subject.model }),
        );
        say(tone(1_000, 16_000));
        stream.finalize();
        const endMs = performance.now() + (isHostile ? 400 : 20_000);
        while (finals().length === 0 && failure() === undefined && performance.now() < endMs)
          await new Promise((resolve) => setTimeout(resolve, 5));
        stream.close();
        const texts = events.flatMap((event) => ('text' in event ? [event.text] : []));
        expectWellFormed(texts, 8 * 1024);
        if (!isHostile) expect([failure(), finals().length]).toEqual([undefined, 1]);
      }),
    longestMs,
  );
}
