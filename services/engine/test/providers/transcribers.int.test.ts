import { readWave } from '@parley/speech';
import { pocketsphinx } from '../../src/providers/pocketsphinx/adapter';
import { createOfflineSpeech } from '../../src/session/offline-speech';
import { listening, socketsGone, tone, until } from './observing';
import type { ProviderServer } from './servers/provider-server';
import { accountOf, having, transcription, voice } from './subjects';

/** Audio that is recognized as "hello there". */
let speech: Int16Array;

beforeAll(async () => {
  const wave = await voice.synthesize({ owner: 'o', text: 'hello there', voiceId: 'sim-anna', delivery: undefined });
  speech = readWave(wave).samples;
});
afterAll(() => voice.stop());

describe.each(having('transcriber').map((subject) => [subject.name, subject] as const))(
  'the transcriber of %s',
  (name, subject) => {
    let server: ProviderServer | undefined;
    const transcriber = () => subject.adapter.transcriber!(accountOf(subject, server), subject.model);
    const options = (sampleRate: 8_000 | 16_000 = 16_000) => transcription({ sampleRate, model: subject.model });

    beforeAll(async () => {
      server = await subject.server?.().start();
    });
    beforeEach(() => server?.fail(undefined));
    afterAll(() => server?.stop());
    afterEach(() => expect(server?.violations ?? []).toEqual([]));

    // Flite's speech has 16,000 Hz if it is to be recognized; local servers only count the received audio.
    it.each(name === 'pocketsphinx' ? ([16_000] as const) : ([8_000, 16_000] as const))(
      'reports for each segment at %d Hz partials, then one final',
      async (sampleRate) => {
        const { stream, events, finals, say } = listening(transcriber(), options(sampleRate));
        for (let turn = 1; turn <= 2; turn += 1) {
          say(server === undefined && sampleRate === 16_000 ? speech : tone(1_000, sampleRate));
          if (transcriber().capabilities.partials)
            await until(() => events.filter(({ type }) => type === 'partial').length >= turn, 'a partial');
          stream.finalize();
          await until(() => finals().length >= turn, 'the final', 60_000);
        }
        stream.close();
        expect(finals().map(({ text }) => text)).toEqual(['hello there', 'hello there']);
        expect(finals().map(({ segment }) => segment)).toEqual([0, 1]);
        const ended = new Set<number>();
        for (const event of events) {
          if (event.type === 'partial') expect(ended).not.toContain(event.segment);
          if (event.type === 'final') ended.add(event.segment);
        }
        const { partials, turnHints } = transcriber().capabilities;
        expect(events.some(({ type }) => type === 'partial')).toBe(partials);
        expect(events.some(({ type }) => type === 'turn_hint')).toBe(turnHints);
        for (const event of events)
          if (event.type === 'turn_hint') expect(event.finished >= 0 && event.finished <= 1).toBe(true);
      },
    );

    it('reports nothing after `close`, and closes its connection', async () => {
      const { stream, events, say } = listening(transcriber(), options());
      say(tone(400, 16_000));
      if (server !== undefined && server.sockets.size === 0 && name.startsWith('deepgram'))
        await until(() => server!.sockets.size > 0, 'the connection');
      stream.finalize();
      stream.close();
      const before = events.length;
      if (server !== undefined) await socketsGone(server);
      stream.write(tone(100, 16_000));
      stream.finalize();
      await new Promise((resolve) => setImmediate(resolve));
      expect(events).toHaveLength(before);
    });

    it('ends with `canceled` when the signal is aborted, even before the start', async () => {
      const controller = new AbortController();
      const { say, stream, events, failure } = listening(transcriber(), options(), controller.signal);
      say(tone(1_000, 16_000));
      stream.finalize();
      controller.abort();
      await until(() => failure() !== undefined, 'the failure');
      expect(failure()?.code).toBe('canceled');
      expect(events.at(-1)?.type).toBe('failed');
      if (server !== undefined) await socketsGone(server);
      const early = listening(transcriber(), options(), AbortSignal.abort());
      await until(() => early.failure() !== undefined, 'the failure');
      expect(early.events.map(({ type }) => type)).toEqual(['failed']);
      if (server !== undefined) await socketsGone(server);
    });

    if (name.startsWith('deepgram'))
      it('fails with `stalled` if the provider does not receive the audio', async () => {
        server!.fail('stall_before_first');
        const { say, failure } = listening(transcriber(), options());
        for (let second = 0; second < 40; second += 1) say(tone(1_000, 16_000));
        expect(failure()?.code).toBe('stalled');
        await socketsGone(server!);
      });
  },
);

it('offline speech without pocketsphinx transcribes the script from the options, and logs a warning', async () => {
  const warnings: unknown[] = [];
  const log = { warn: (...of: unknown[]) => warnings.push(of) };
  const offline = createOfflineSpeech({ calls: 1, log: log as never, program: 'no-such-recogniser' });
  const transcriber = offline.adapterFor('o').transcriber!({ apiKey: undefined }, undefined);
  const { say, stream, finals } = listening(transcriber, transcription({ options: { script: ['When do you open?'] } }));
  for (let turn = 1; turn <= 2; turn += 1) {
    say(tone(200, 16_000));
    stream.finalize();
    await until(() => finals().length >= turn, 'the final');
  }
  expect(finals().map(({ text }) => text)).toEqual(['When do you open?', '']);
  expect(JSON.stringify(warnings)).toContain('pocketsphinx is not installed');
  stream.close();
  await offline.stop();
});

it('a transcriber whose recognizer is not installed fails with unavailable', async () => {
  const transcriber = pocketsphinx({ program: 'no-such-recogniser' }).transcriber!({ apiKey: undefined }, undefined);
  const { failure, events } = listening(transcriber, transcription());
  await until(() => failure() !== undefined, 'the failure');
  expect(failure()?.code).toBe('unavailable');
  expect(events).toHaveLength(1);
});
