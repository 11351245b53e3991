import type { LanguageModel, Provider } from '@parley/compilation';
import { perMillionTokens, simulatorMicros } from './pricing';

/**
 * Language models: price from the providers' list prices a million tokens, see pricing.ts for the assumed conversation. The
 * latencies are estimates.
 */
export const models: readonly Provider<LanguageModel>[] = [
  {
    provider: 'simulator',
    label: 'Simulator',
    requires_account: false,
    models: [
      {
        model: 'sim-chat',
        languages: null,
        cost_micros_per_minute: simulatorMicros,
        latency_ms: 150,
        estimated: ['latency_ms'],
      },
    ],
  },
  {
    provider: 'openai',
    label: 'OpenAI',
    requires_account: true,
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
  {
    provider: 'anthropic',
    label: 'Anthropic',
    requires_account: true,
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
  {
    provider: 'google',
    label: 'Google Gemini',
    requires_account: true,
    models: [
      {
        model: 'gemini-2.5-flash',
        languages: null,
        cost_micros_per_minute: perMillionTokens(0.3, 2.5),
        latency_ms: 450,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      },
      {
        model: 'gemini-2.5-flash-lite',
        languages: null,
        cost_micros_per_minute: perMillionTokens(0.1, 0.4),
        latency_ms: 350,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      },
    ],
  },
  {
    provider: 'azure',
    label: 'Azure OpenAI',
    requires_account: true,
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
];
