import { deliveryControls } from '@parley/providers';
import { collected, listening, replyOf, until } from './observing';
import type { ProviderServer } from './servers/provider-server';
import { accountOf, having, subjects, synthesis, transcription, voice, type Subject } from './subjects';

type Part = 'transcriber' | 'model' | 'synthesizer';

/** Everything that a request sent. */
async function sentBy(subject: Subject, part: Part, given: object): Promise<string> {
  const server = await subject.server!().start();
  try {
    await asked[part](subject, server, given);
    expect(server.violations).toEqual([]);
    return server.received.join('\n');
  } finally {
    await server.stop();
  }
}

const asked: Readonly<Record<Part, (subject: Subject, server: ProviderServer, given: object) => Promise<void>>> = {
  async model(subject, server, given) {
    const { error } = await collected(replyOf(subject.adapter.model!(accountOf(subject, server)), given));
    expect(error).toBeUndefined();
  },
  async synthesizer(subject, server, given) {
    const adapter = subject.adapter.synthesizer!(accountOf(subject, server));
    const stream = adapter.open(synthesis(given), new AbortController().signal);
    stream.write('Good day. ');
    stream.end();
    expect((await collected(stream.events)).error).toBeUndefined();
  },
  async transcriber(subject, server, given) {
    const adapter = subject.adapter.transcriber!(accountOf(subject, server), subject.model);
    const heard = listening(adapter, transcription({ model: subject.model, ...given }));
    heard.say(new Int16Array(16_000).fill(3_000));
    heard.stream.finalize();
    await until(() => server.received.length > 0, 'the request');
    heard.stream.close();
  },
};

const subjectOf = (name: string): Subject => subjects.find((subject) => subject.name === name)!;

afterAll(() => voice.stop());

describe('the delivery of an agent is sent as the documented setting of the provider’s voice', () => {
  it.each<[string, Parameters<typeof deliveryControls>[0], object, string]>([
    ['openai', 0.9, {}, '"speed":0.9'],
    ['openai', 'Speak calmly.', {}, '"instructions":"Speak calmly."'],
    ['openai_compatible', 1.1, {}, '"speed":1.1'],
    ['cartesia', 0.95, {}, '"generation_config":{"speed":0.95}'],
    [
      'elevenlabs',
      { stability: 0.75, similarity_boost: 0.75, style: 0, speed: 0.93 },
      {},
      '"voice_settings":{"stability":0.75,"similarity_boost":0.75,"style":0,"speed":0.93}',
    ],
    ['elevenlabs', { stability: 0.75 }, { stability: 0.2 }, '"voice_settings":{"stability":0.2}'],
  ])('%s, delivery %j', async (name, value, options, expected) => {
    const given = { delivery: deliveryControls(value), options };
    expect(await sentBy(subjectOf(name), 'synthesizer', given)).toContain(expected);
  });

  it.each(having('synthesizer').filter(({ server }) => server !== undefined))(
    '$name: sends no delivery setting if none was chosen',
    async (subject) => {
      const sent = await sentBy(subject, 'synthesizer', { delivery: deliveryControls(null) });
      expect(sent).not.toMatch(/speed|instructions|stability|generation_config/);
    },
  );
});

describe('options of a component are sent to the provider only if they are known and within their bounds', () => {
  it.each<[string, Part, Record<string, unknown>, string, string]>([
    ['openai', 'model', { temperature: 0.5, api_key: 'x' }, '"temperature":0.5', 'api_key'],
    ['openai', 'model', { temperature: 3, top_p: 0.5 }, '"top_p":0.5', 'temperature'],
    ['openai', 'model', { max_tokens: 50 }, '"max_completion_tokens":50', '"max_tokens"'],
    ['openai_compatible', 'model', { max_tokens: 50 }, '"max_tokens":50', 'max_completion_tokens'],
    ['azure', 'model', { seed: 7 }, '"seed":7', 'temperature'],
    ['anthropic', 'model', { top_k: 5, seed: 7 }, '"top_k":5', 'seed'],
    ['deepgram nova', 'transcriber', { numerals: true, eot_timeout_ms: 900 }, 'numerals=true', 'eot_timeout_ms'],
    ['deepgram flux', 'transcriber', { eot_timeout_ms: 900, dictation: true }, 'eot_timeout_ms=900', 'dictation'],
    [
      'elevenlabs',
      'synthesizer',
      { apply_text_normalization: 'on', style: 2 },
      'apply_text_normalization=on',
      '"style"',
    ],
  ])('%s, %s: %j', async (name, part, options, there, absent) => {
    const sent = await sentBy(subjectOf(name), part, { options });
    expect(sent).toContain(there);
    expect(sent).not.toContain(absent);
  });
});
