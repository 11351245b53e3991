import { byInstruction, bySpeed } from '../delivery';
import { perMillionCharacters, perMillionTokens, perMinute } from '../pricing';
import type { ProviderEntry } from '../provider';
import { list } from '../languages';

export const openaiSpeech = list(
  'af ar hy az be bs bg ca zh hr cs da nl en et fi fr gl de el he hi hu is id it ja kn kk ko lv lt mk ms mr mi ne no fa pl pt ro ru sr sk sl es sw sv tl ta th tr uk ur vi cy',
);

const everyModel = ['alloy', 'ash', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer'];
const newer = ['ballad', 'verse', 'marin', 'cedar'];
const named = (id: string) => ({ voice_id: id, name: id.charAt(0).toUpperCase() + id.slice(1) });

export const openai: ProviderEntry = {
  name: 'openai',
  requiresAccount: true,
  // The documented voices; accounts may have additional ones.
  knownVoices: (model) => [...everyModel, ...(model === 'tts-1' ? [] : newer)].map(named),
  transcribers: {
    label: 'OpenAI',
    models: [
      {
        model: 'gpt-4o-transcribe',
        languages: openaiSpeech,
        cost_micros_per_minute: perMinute(0.006),
        latency_ms: 500,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
        fast_words: false,
        // Each segment is sent with a single expected language.
        candidate_limit: 1,
      },
      {
        model: 'gpt-4o-mini-transcribe',
        languages: openaiSpeech,
        cost_micros_per_minute: perMinute(0.003),
        latency_ms: 450,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
        fast_words: false,
        // Each segment is sent with a single expected language.
        candidate_limit: 1,
      },
    ],
  },
  models: {
    label: 'OpenAI',
    models: [
      {
        model: 'gpt-4o-mini',
        languages: null,
        cost_micros_per_minute: perMillionTokens(0.15, 0.6),
        latency_ms: 450,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      },
      {
        model: 'gpt-4.1-mini',
        languages: null,
        cost_micros_per_minute: perMillionTokens(0.4, 1.6),
        latency_ms: 450,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      },
      {
        model: 'gpt-4.1',
        languages: null,
        cost_micros_per_minute: perMillionTokens(2, 8),
        latency_ms: 550,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      },
    ],
  },
  voices: {
    label: 'OpenAI',
    models: [
      byInstruction({
        model: 'gpt-4o-mini-tts',
        languages: openaiSpeech,
        cost_micros_per_minute: perMinute(0.015 / 2),
        latency_ms: 350,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      }),
      bySpeed({
        model: 'tts-1',
        languages: openaiSpeech,
        cost_micros_per_minute: perMillionCharacters(15),
        latency_ms: 400,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      }),
    ],
  },
};
