import { perMillionTokens } from '../pricing';
import type { ProviderEntry } from '../provider';

export const anthropic: ProviderEntry = {
  name: 'anthropic',
  requiresAccount: true,
  models: {
    label: 'Anthropic',
    models: [
      {
        model: 'claude-haiku-4-5',
        languages: null,
        cost_micros_per_minute: perMillionTokens(1, 5),
        latency_ms: 500,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      },
      {
        model: 'claude-sonnet-4-5',
        languages: null,
        cost_micros_per_minute: perMillionTokens(3, 15),
        latency_ms: 900,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      },
    ],
  },
};
