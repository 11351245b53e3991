import type { LeasedCredential } from '@parley/contract';
import { eventually } from '@parley/testing';
import { ProviderCalls, spoken, type Calling } from './provider-calls';
import { cartesiaServer } from './providers/servers/cartesia-server';
import { deepgramServer, type Recognised } from './providers/servers/deepgram-server';
import { elevenLabsServer } from './providers/servers/elevenlabs-server';
import { openAiServer } from './providers/servers/openai-server';
import { serverKey, type ProviderServer } from './providers/servers/provider-server';
import { voiceOf, type Timbre } from './providers/servers/sound';

/** An agent that follows the language of the caller: one transcriber that detects languages, and a voice of another provider per language. */
describe('a call whose agent follows the language of the caller', () => {
  let calls: ProviderCalls;
  let heard: Recognised = { words: '', language: 'en' };
  let [transcription, mind, english, german]: ProviderServer[] = [];
  let question: Buffer;

  beforeAll(async () => {
    calls = await ProviderCalls.start();
    transcription = await deepgramServer(() => heard).start();
    mind = await openAiServer().start();
    english = await elevenLabsServer().start();
    german = await cartesiaServer().start();
    question = await spoken('What are your opening hours on Saturday?');
  });
  afterAll(async () => {
    await calls.stop();
    for (const server of [transcription, mind, english, german]) await server?.stop();
  });

  const credential = (
    kind: LeasedCredential['kind'],
    provider: string,
    server: ProviderServer | undefined,
    path = '',
  ) => ({
    ...{ kind, provider, component_credential_id: `cred_${provider}`, secret: serverKey },
    base_url: `${server?.url ?? ''}${path}`,
  });
  const transcriber = { provider: 'deepgram', model: 'nova-3' };
  const voices = {
    en: { provider: 'elevenlabs', model: 'eleven_flash_v2_5', voice_id: 'anna' },
    de: { provider: 'cartesia', model: 'sonic-3', voice_id: 'lena' },
  };
  const follows = (enabled = true): Calling => ({
    publication: {
      ...{ language: 'en', starting_language: 'en', transcriber, voice: voices.en, first_message: 'Good morning.' },
      follow_caller: { enabled, scope: 'selected' },
      model: { provider: 'openai_compatible', model: 'm' },
      profiles: (['en', 'de'] as const).map((locale) => ({
        locale,
        greeting: null,
        transcriber,
        voice: voices[locale],
      })),
    },
    components: [
      credential('stt', 'deepgram', transcription),
      credential('llm', 'openai_compatible', mind, '/v1'),
      credential('tts', 'elevenlabs', english),
      credential('tts', 'cartesia', german),
    ],
  });

  /** Milliseconds of sound that one of the servers made. */
  function soundOf(audio: readonly Buffer[], timbre: Timbre): number {
    const [first, second] = new Int16Array(Uint8Array.from(voiceOf('x', 40, timbre)).buffer);
    const all = Buffer.concat(audio);
    let found = 0;
    for (let at = 0; at + 1 < all.length; at += 2) if ([first, second].includes(all.readInt16LE(at))) found += 1;
    return found / 16;
  }

  it('changes to the language of the caller with its voice, and back', async () => {
    for (const server of [transcription, mind, english, german]) server?.fail(undefined);
    const call = await calls.call('job_follow', follows());
    const hum = (): number => soundOf(call.client.audio, 'hums');
    const tone = (): number => soundOf(call.client.audio, 'tone');
    await call.listens(1);
    expect(tone()).toBeGreaterThan(500);
    expect(hum()).toBe(0);
    heard = { words: 'Guten Tag was kostet es', language: 'de' };
    await call.say(question);
    const answer = (words: string): string => `You said: ${words}. That was all of it.`;
    await eventually(() => call.said('agent').includes(answer('Guten Tag was kostet es')) || undefined);
    const [humBefore, toneBefore] = [hum(), tone()];
    expect(humBefore).toBeGreaterThan(answer('Guten Tag was kostet es').length * 40);
    // The voice of the other language said none of it.
    expect(toneBefore).toBeLessThan('Good morning.'.length * 50 + 60);
    heard = { words: 'Good evening to you all', language: 'en' };
    await call.listens(2);
    await call.say(question);
    await eventually(() => call.said('agent').includes(answer('Good evening to you all')) || undefined);
    expect(tone() - toneBefore).toBeGreaterThan(answer('Good evening to you all').length * 40);
    expect(hum() - humBefore).toBeLessThan(60);
    const { completed } = await call.hangUp();
    const turns = completed.transcript?.turns.filter(({ text }) => text !== '') ?? [];
    expect(turns.map(({ speaker, language }) => [speaker, language])).toEqual([
      ['agent', 'en-US'],
      ['caller', 'de'],
      ['agent', 'de'],
      ['caller', 'en'],
      ['agent', 'en'],
    ]);
    // One transcriber session for the whole call, which detects languages.
    expect(transcription?.requests).toBe(1);
    expect(transcription?.received[0]).toContain('language=multi');
    expect(transcription?.violations).toEqual([]);
  });

  it('stays in its language if follow_caller is disabled', async () => {
    for (const server of [transcription, mind, english, german]) server?.fail(undefined);
    const call = await calls.call('job_stays', follows(false));
    await call.listens(1);
    heard = { words: 'Guten Tag was kostet es', language: 'de' };
    await call.say(question);
    await eventually(() => call.said('agent').length > 1 || undefined);
    expect(soundOf(call.client.audio, 'hums')).toBe(0);
    await call.hangUp();
  });

  it('stays in its language if the caller speaks one that the publication does not have', async () => {
    for (const server of [transcription, mind, english, german]) server?.fail(undefined);
    const call = await calls.call('job_outside', follows());
    await call.listens(1);
    heard = { words: 'Buongiorno', language: 'it' };
    await call.say(question);
    await eventually(() => call.said('agent').length > 1 || undefined);
    expect(soundOf(call.client.audio, 'hums')).toBe(0);
    await call.hangUp();
  });
});
