import {
  cartesia,
  deepgram,
  disconnected,
  elevenlabs,
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
  openaiCompatible,
  type SpokenWord,
} from '@parley/providers';
import { Breakers, modelWithFallback, transcriberWithFallback, voiceWithFallback } from '../../src/providers/fallback';
import type { Incident } from '../../src/providers/fallback';
import { collected, listening, replyOf, samplesOf, textOf, tone, until } from './observing';
import { cartesiaServer } from './servers/cartesia-server';
import { deepgramServer } from './servers/deepgram-server';
import { elevenLabsServer } from './servers/elevenlabs-server';
import { openAiServer } from './servers/openai-server';
import { serverKey, type ProviderServer } from './servers/provider-server';
import { msPerCharacter } from './servers/sound';
import { synthesis, transcription } from './subjects';

const limits = { connectMs: 2_000, firstMs: 2_000, betweenMs: 2_000 };
const running: ProviderServer[] = [];
const started = async (server: ProviderServer): Promise<ProviderServer> => {
  running.push(server);
  return server.start();
};
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

function observed(kind: 'transcriber' | 'model' | 'voice', now = () => performance.now()) {
  const incidents: Incident[] = [];
  return {
    incidents,
    options: { kind, breakers: new Breakers(now), onIncident: (one: Incident) => incidents.push(one) },
  };
}

/** A model that says these pieces, and fails before the one at `failsAt`. */
const scripted = (pieces: readonly string[], failsAt?: number, asked: ModelRequest[] = []) => ({
  name: undefined,
  options: {},
  model: {
    capabilities: { tools: true, parallelToolCalls: true },
    async *generate(request): AsyncIterable<ModelEvent> {
      asked.push(request);
      for (const [n, text] of pieces.entries()) {
        await Promise.resolve();
        if (n === failsAt) throw disconnected('scripted');
        yield { type: 'delta', text };
      }
      if (failsAt === pieces.length) throw disconnected('scripted');
      yield { type: 'done', finishReason: 'stop' };
    },
  } satisfies LanguageModel,
});
const candidate = <Component>(provider: string, component: Component, credentialId = 'cred_1') => ({
  provider,
  credentialId,
  component,
});

const sentences = ['Your order left on Monday. ', 'It will arrive on Friday. ', 'Is there more?'];

describe('a model with a fallback model', () => {
  it.each([0, 1, 2, 3])('repeats no sentence if the first model fails after %d', async (failsAt) => {
    const { incidents, options } = observed('model');
    const asked: ModelRequest[] = [];
    const model = modelWithFallback(
      [candidate('one', scripted(sentences, failsAt)), candidate('two', scripted(sentences, undefined, asked))],
      options,
    );
    const { events, error } = await collected(replyOf(model, {}));
    expect(error).toBeUndefined();
    expect(textOf(events)).toBe(sentences.join(''));
    expect(events.at(-1)).toMatchObject({ type: 'done' });
    expect(incidents.map(({ code }) => code)).toEqual(['provider_failed']);
    expect(asked[0]?.messages).toHaveLength(failsAt === 0 ? 1 : 3);
  });

  it('fails with the error of the last model if all fail', async () => {
    const { incidents, options } = observed('model');
    const model = modelWithFallback([candidate('one', scripted([], 0)), candidate('two', scripted([], 0))], options);
    const { error } = await collected(replyOf(model, {}));
    expect(error?.code).toBe('disconnected');
    expect(incidents).toHaveLength(2);
  });

  it('sends no request if the signal was aborted before', async () => {
    const { incidents, options } = observed('model');
    const server = await started(openAiServer());
    const account = { apiKey: serverKey, baseUrl: `${server.url}/v1`, limits };
    const asked: ModelRequest[] = [];
    const first = { model: openaiCompatible.model!(account), name: 'm', options: {} };
    const model = modelWithFallback([candidate('one', first), candidate('two', scripted([], 0, asked))], options);
    const { error } = await collected(replyOf(model, {}, AbortSignal.abort()));
    expect([error?.code, asked.length, incidents.length]).toEqual(['canceled', 0, 0]);
  });

  it('skips a model that failed three times, and tries it again after the waiting time', async () => {
    let now = 0;
    const { incidents, options } = observed('model', () => now);
    const asked: ModelRequest[] = [];
    const first = scripted([], 0, asked);
    const model = modelWithFallback([candidate('one', first), candidate('two', scripted(sentences))], options);
    for (let n = 0; n < 5; n += 1) await collected(replyOf(model, {}));
    expect(asked).toHaveLength(3);
    expect(incidents.map(({ code }) => code).slice(-2)).toEqual(['provider_skipped', 'provider_skipped']);
    now = 10_000;
    await collected(replyOf(model, {}));
    expect(asked).toHaveLength(4);
  });
});

it('if a voice fails while speaking, the fallback voice continues with the first word that was not spoken', async () => {
  const { incidents, options } = observed('voice');
  const [first, second] = [await started(cartesiaServer()), await started(elevenLabsServer())];
  // The first sentence is whole; in the second one the connection is lost.
  first.fail('socket_closed');
  const voice = voiceWithFallback(
    [
      candidate('cartesia', {
        synthesizer: cartesia.synthesizer!({ apiKey: serverKey, baseUrl: first.url, limits }),
        own: {},
      }),
      candidate('elevenlabs', {
        synthesizer: elevenlabs.synthesizer!({ apiKey: serverKey, baseUrl: second.url, limits }),
        own: { voiceId: 'another' },
      }),
    ],
    options,
  );
  const stream = voice.open(synthesis(), new AbortController().signal);
  for (const sentence of sentences) stream.write(sentence);
  stream.end();
  const { events, error } = await collected(stream.events);
  expect(error).toBeUndefined();
  expect(events.at(-1)).toEqual({ type: 'done' });
  const text = sentences.join('');
  const words = events.flatMap((event): readonly SpokenWord[] => (event.type === 'words' ? event.words : []));
  const offsets = words.map(({ offset }) => offset);
  expect(new Set(offsets).size).toBe(offsets.length);
  expect(words.at(-1)).toMatchObject({ offset: text.indexOf('more?') });
  // The audio of the first voice before it lost its connection is included.
  expect(samplesOf(events) / 16).toBeLessThanOrEqual((text.length + 30) * msPerCharacter);
  expect(incidents).toMatchObject([{ code: 'provider_failed' }]);
});

it('if a transcriber fails, the fallback transcriber receives the audio since the last final again', async () => {
  const { incidents, options } = observed('transcriber');
  const [first, second] = [await started(deepgramServer()), await started(deepgramServer())];
  first.fail('socket_closed');
  const transcriber = transcriberWithFallback(
    [first, second].map((server, n) =>
      candidate(`deepgram-${n}`, {
        transcriber: deepgram.transcriber!({ apiKey: serverKey, baseUrl: server.url, limits }, 'nova-3'),
        own: { model: 'nova-3' },
      }),
    ),
    options,
  );
  const { say, stream, finals, failure, events } = listening(transcriber, transcription());
  say(tone(1_000, 16_000));
  await until(() => incidents.length > 0, 'the failure of the first');
  stream.finalize();
  await until(() => finals().length === 1, 'the final');
  say(tone(1_000, 16_000));
  stream.finalize();
  await until(() => finals().length === 2, 'the next final');
  stream.close();
  expect(finals()).toMatchObject([
    { segment: 0, text: 'hello there', startMs: 0, endMs: 1_000 },
    { segment: 1, text: 'hello there', startMs: 1_000, endMs: 2_000 },
  ]);
  expect(failure()).toBeUndefined();
  expect(events.filter(({ type }) => type === 'final')).toHaveLength(2);
});
