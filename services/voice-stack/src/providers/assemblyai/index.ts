import { englishOnly, list } from '../languages';
import { perHour } from '../pricing';
import type { ProviderEntry } from '../provider';

export const assemblyMultilingual = list('en es fr de it pt');

export const assemblyai: ProviderEntry = {
  name: 'assemblyai',
  requiresAccount: true,
  transcribers: {
    label: 'AssemblyAI',
    models: [
      {
        model: 'universal-streaming',
        languages: englishOnly,
        cost_micros_per_minute: perHour(0.15),
        latency_ms: 300,
        estimated: [],
        fast_words: true,
        candidate_limit: 1,
      },
      {
        model: 'universal-streaming-multilingual',
        languages: assemblyMultilingual,
        cost_micros_per_minute: perHour(0.15),
        latency_ms: 300,
        estimated: [],
        fast_words: true,
        candidate_limit: 6,
      },
    ],
  },
};
