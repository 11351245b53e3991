import { deepgramNova3 } from '@parley/contract';
import { fixed } from '../delivery';
import { englishOnly, list } from '../languages';
import { perMillionCharacters, perMinute } from '../pricing';
import type { ProviderEntry } from '../provider';

export const deepgramAura2 = list('en es de fr nl it ja');

/** The languages that `multi` distinguishes within one connection. */
export const deepgramNova3Multilingual = list('en es fr de hi ru pt ja it nl');

export const deepgram: ProviderEntry = {
  name: 'deepgram',
  requiresAccount: true,
  transcribers: {
    label: 'Deepgram',
    models: [
      {
        model: 'nova-3',
        languages: deepgramNova3,
        followed_languages: deepgramNova3Multilingual,
        cost_micros_per_minute: perMinute(0.0058),
        latency_ms: 300,
        estimated: ['latency_ms'],
        fast_words: true,
        candidate_limit: 32,
      },
      {
        model: 'flux-general-en',
        languages: englishOnly,
        cost_micros_per_minute: perMinute(0.0077),
        latency_ms: 260,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
        fast_words: true,
        candidate_limit: 1,
      },
    ],
  },
  voices: {
    label: 'Deepgram',
    models: [
      fixed({
        model: 'aura-2',
        languages: deepgramAura2,
        cost_micros_per_minute: perMillionCharacters(30),
        latency_ms: 150,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      }),
    ],
  },
};
