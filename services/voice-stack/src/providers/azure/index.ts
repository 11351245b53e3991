import { bySpeed } from '../delivery';
import { perHour, perMillionCharacters, perMillionTokens } from '../pricing';
import type { ProviderEntry } from '../provider';
import { list } from '../languages';

export const azureSpeech = list(
  'af am ar az bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja jv ka kk km kn ko lo lt lv mk ml mn mr ms mt my nb ne nl pa pl ps pt ro ru si sk sl so sq sr sv sw ta te th tr uk ur uz vi wuu yue zh zu',
);

export const azure: ProviderEntry = {
  name: 'azure',
  requiresAccount: true,
  transcribers: {
    label: 'Azure Speech',
    models: [
      // Continuous language identification accepts at most ten candidates, one locale per language.
      {
        model: 'realtime',
        languages: azureSpeech,
        cost_micros_per_minute: perHour(1),
        latency_ms: 350,
        estimated: ['latency_ms'],
        fast_words: true,
        candidate_limit: 10,
      },
    ],
  },
  models: {
    label: 'Azure OpenAI',
    models: [
      {
        model: 'gpt-4o-mini',
        languages: null,
        cost_micros_per_minute: perMillionTokens(0.15, 0.6),
        latency_ms: 450,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      },
    ],
  },
  voices: {
    label: 'Azure Speech',
    models: [
      bySpeed({
        model: 'neural',
        languages: azureSpeech,
        cost_micros_per_minute: perMillionCharacters(16),
        latency_ms: 200,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      }),
    ],
  },
};
