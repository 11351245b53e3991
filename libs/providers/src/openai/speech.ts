import { limitsOf, type ProviderAccount } from '../adapter';
import { DeclaredAudio } from '../declared-audio';
import { disconnected, invalidAnswer } from '../failures';
import { errorOfRequest } from '../http-failure';
import { SentenceSynthesis } from '../sentence-synthesis';
import type { SynthesisOptions, Synthesizer } from '../synthesizer';
import { Watch } from '../watch';
import { clientOf, type OpenAiServer } from './client';

/** Samples per second of the format `pcm` if the server names no other rate. */
const pcmRate = 24_000;

/** Text to speech with `/audio/speech`: one request per sentence, with raw audio streamed while it is synthesized. */
export function speechSynthesizer(server: OpenAiServer, account: ProviderAccount): Synthesizer {
  const client = clientOf(server, account);
  const limits = limitsOf(account);
  const { provider } = server;

  async function* speak(sentence: string, options: SynthesisOptions, signal: AbortSignal): AsyncIterable<Int16Array> {
    const watch = new Watch(signal);
    const context = { provider, watch, answered: false };
    let complete = false;
    try {
      watch.expect(limits.connectMs + limits.firstMs);
      const { voiceId: voice, model, delivery } = options;
      const { speed, instruction } = delivery;
      const response = await client.audio.speech.create(
        {
          model: model ?? 'tts-1',
          voice,
          input: sentence,
          response_format: 'pcm',
          ...(typeof speed === 'number' && { speed }),
          ...(typeof instruction === 'string' && { instructions: instruction }),
        },
        { signal: watch.signal },
      );
      if (response.body === null) throw invalidAnswer(provider, 'returned no audio');
      context.answered = true;
      const type = response.headers.get('content-type') ?? '';
      const audio = new DeclaredAudio(provider, type, pcmRate, options.sampleRate);
      let bytes = 0;
      for await (const piece of response.body as AsyncIterable<Uint8Array>) {
        watch.relax();
        bytes += piece.length;
        yield audio.read(piece);
        watch.expect(limits.betweenMs);
      }
      if (bytes === 0) throw disconnected(provider);
      complete = true;
    } catch (error) {
      throw errorOfRequest(context, error);
    } finally {
      if (complete) watch.finish();
      else watch.abandon();
    }
  }

  return {
    capabilities: { streamingText: false, timestamps: false },
    open: (options, signal) =>
      new SentenceSynthesis(provider, (sentence, wanted) => speak(sentence, options, wanted), signal, options.language),
  };
}
