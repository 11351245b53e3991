import { baseLanguage } from '@parley/contract';
import { randomUUID } from 'node:crypto';
import { baseUrlOf, limitsOf, type ProviderAccount, type StreamingAdapter } from '../adapter';
import { errorOfStatus, invalidAnswer } from '../failures';
import { PcmReader } from '../pcm';
import { SocketSynthesis } from '../socket-synthesis';
import { WordFinder } from '../spoken-words';
import type { SpokenWord, SynthesisOptions, Synthesizer } from '../synthesizer';

const provider = 'cartesia';
const publicUrl = 'https://api.cartesia.ai';
/** The version of the protocol. */
const version = '2026-08-14';

/** Sonic over a WebSocket, with one context and one connection per utterance. */
function sonic(account: ProviderAccount): Synthesizer {
  return {
    capabilities: { streamingText: true, timestamps: true },
    open(options, signal) {
      const context = randomUUID();
      const finder = new WordFinder();
      const reader = new PcmReader(options.sampleRate, options.sampleRate);
      const generation = (transcript: string, more: boolean) => ({
        ...base(options, context),
        transcript,
        continue: more,
      });
      return new SocketSynthesis({
        provider,
        url: `${baseUrlOf(account, publicUrl).replace(/^http/, 'ws')}/tts/websocket?cartesia_version=${version}`,
        headers: { authorization: `Bearer ${account.apiKey ?? ''}`, 'cartesia-version': version },
        agent: account.agent,
        limits: limitsOf(account),
        signal,
        first: [],
        text: (text) => {
          finder.write(text);
          return generation(text, true);
        },
        end: generation('', false),
        cancel: { context_id: context, cancel: true },
        read: (message) => {
          if (message.type === 'error')
            return {
              failed: errorOfStatus(provider, typeof message.status_code === 'number' ? message.status_code : 500),
            };
          if (message.context_id !== context)
            return { failed: invalidAnswer(provider, 'sent an event without a context') };
          if (message.type === 'chunk') {
            const samples = reader.readBase64(message.data);
            return samples === undefined
              ? { failed: invalidAnswer(provider, 'sent a chunk without audio') }
              : { samples };
          }
          if (message.type === 'timestamps') return { words: wordsOf(message.word_timestamps, finder) };
          return { done: message.type === 'done' };
        },
      });
    },
  };
}

const base = ({ model, voiceId, language, sampleRate, delivery }: SynthesisOptions, context: string) => ({
  model_id: model ?? 'sonic-3',
  voice: { mode: 'id', id: voiceId },
  language: baseLanguage(language),
  context_id: context,
  output_format: { container: 'raw', encoding: 'pcm_s16le', sample_rate: sampleRate },
  add_timestamps: true,
  ...(typeof delivery.speed === 'number' && { generation_config: { speed: delivery.speed } }),
});

function wordsOf(timestamps: unknown, finder: WordFinder): SpokenWord[] {
  const { words, start, end } = (timestamps ?? {}) as { words?: unknown; start?: unknown; end?: unknown };
  if (!Array.isArray(words) || !Array.isArray(start) || !Array.isArray(end)) return [];
  return words.flatMap((word: unknown, n) => {
    const [from, to] = [start[n] as unknown, end[n] as unknown];
    if (typeof word !== 'string' || typeof from !== 'number' || typeof to !== 'number') return [];
    const found = finder.find(word, from * 1000, to * 1000);
    return found === undefined ? [] : [found];
  });
}

export const cartesia: StreamingAdapter = { name: provider, requiresKey: true, synthesizer: sonic };
