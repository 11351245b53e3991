import { bySpeed } from '../delivery';
import { simulatorMicros } from '../pricing';
import type { ProviderEntry } from '../provider';
import { inventory } from './inventory';

/** The platform pays nothing for a server of the customer's own, and does not know how fast it is. */
const unknown = {
  cost_micros_per_minute: simulatorMicros,
  latency_ms: 500,
  estimated: ['cost_micros_per_minute', 'latency_ms'],
} as const;

/**
 * Servers that speak OpenAI's protocol, such as vLLM, Ollama, speaches and Kokoro-FastAPI, at the address of a credential. They name their models and voices
 * themselves; each entry stands for all of them, in any language.
 */
export const openaiCompatible: ProviderEntry = {
  name: 'openai_compatible',
  requiresAccount: true,
  inventory,
  anyModel: true,
  transcribers: {
    label: 'OpenAI-compatible server',
    // Each segment is sent with the language that is expected of it.
    models: [{ model: 'whisper-1', languages: null, ...unknown, fast_words: false, candidate_limit: 1 }],
  },
  models: { label: 'OpenAI-compatible server', models: [{ model: 'default', languages: null, ...unknown }] },
  voices: { label: 'OpenAI-compatible server', models: [bySpeed({ model: 'tts-1', languages: null, ...unknown })] },
};
