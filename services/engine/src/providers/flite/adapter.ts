import { ProviderError, SentenceSynthesis, type StreamingAdapter, type SynthesisOptions } from '@parley/providers';
import { readWave, resampleWhole, type FliteVoice } from '@parley/speech';

const provider = 'flite';

/** Audio is delivered in chunks of this length, so that playback can be stopped between them. */
const pieceMs = 200;

/** Offline speech in English. @param owner the owner of the texts; the texts of one owner do not delay those of others */
export function flite(voice: Pick<FliteVoice, 'synthesize'>, owner: string): StreamingAdapter {
  async function* speak(sentence: string, options: SynthesisOptions): AsyncIterable<Int16Array> {
    // Text without letters and digits has no audio.
    if (!/[\p{L}\p{N}]/u.test(sentence)) return;
    const wave = await voice
      .synthesize({ owner, text: sentence, voiceId: options.voiceId, delivery: deliveryOf(options) })
      .catch(() => {
        throw new ProviderError(provider, 'unavailable', 'could not synthesize a sentence');
      });
    const { samples, sampleRate } = readWave(wave);
    const wanted = resampleWhole(samples, sampleRate, options.sampleRate);
    const piece = (pieceMs * options.sampleRate) / 1000;
    for (let from = 0; from < wanted.length; from += piece) yield wanted.subarray(from, from + piece);
  }

  return {
    name: provider,
    requiresKey: false,
    synthesizer: () => ({
      capabilities: { streamingText: false, timestamps: false },
      open: (options, signal) =>
        new SentenceSynthesis(provider, (sentence) => speak(sentence, options), signal, options.language),
    }),
  };
}

const deliveryOf = ({ delivery }: SynthesisOptions) =>
  typeof delivery.speed === 'number' ? delivery.speed : undefined;
