import { bySpeed } from '../delivery';
import { simulatorMicros } from '../pricing';
import type { ProviderEntry } from '../provider';
import { fieldsOf, textOf, type InventoryProtocol } from '../inventory-protocol';

/** GET /audio/voices is not part of OpenAI's protocol, but several servers support it. It returns a list of names, or of objects with an id. */
export const inventory: InventoryProtocol = {
  baseUrl: undefined,
  headers: (apiKey): Readonly<Record<string, string>> => (apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
  page: () => '/audio/voices',
  read(body) {
    const { voices } = fieldsOf(body);
    if (!Array.isArray(voices)) return undefined;
    const ids = voices.flatMap((voice: unknown) => textOf(voice) ?? textOf(fieldsOf(voice).id) ?? []);
    return { voices: ids.map((id) => ({ voice_id: id, name: id })), next: undefined };
  },
};

/** For a customer's own server the platform has no costs, and its latency is unknown. */
const unknown = {
  cost_micros_per_minute: simulatorMicros,
  latency_ms: 500,
  estimated: ['cost_micros_per_minute', 'latency_ms'],
} as const;

/**
 * Servers that implement OpenAI's protocol, such as vLLM, Ollama, speaches and Kokoro-FastAPI, at the address in a credential. They choose the names of their
 * models and voices, so each entry stands for any model, in any language.
 */
export const openaiCompatible: ProviderEntry = {
  name: 'openai_compatible',
  requiresAccount: true,
  inventory,
  anyModel: true,
  transcribers: {
    label: 'OpenAI-compatible server',
    // Each segment is sent with a single expected language.
    models: [{ model: 'whisper-1', languages: null, ...unknown, fast_words: false, candidate_limit: 1 }],
  },
  models: { label: 'OpenAI-compatible server', models: [{ model: 'default', languages: null, ...unknown }] },
  voices: { label: 'OpenAI-compatible server', models: [bySpeed({ model: 'tts-1', languages: null, ...unknown })] },
};
