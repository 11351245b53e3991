import { bySpeed } from '../delivery';
import { simulatorMicros } from '../pricing';
import type { ProviderEntry } from '../provider';
import { fieldsOf, textOf, type InventoryProtocol } from '../inventory-protocol';

/** GET /audio/voices, which is no part of OpenAI's protocol but of several servers; a list of names, or of objects with an id. */
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
    // Each segment is sent with its expected language.
    models: [{ model: 'whisper-1', languages: null, ...unknown, fast_words: false, candidate_limit: 1 }],
  },
  models: { label: 'OpenAI-compatible server', models: [{ model: 'default', languages: null, ...unknown }] },
  voices: { label: 'OpenAI-compatible server', models: [bySpeed({ model: 'tts-1', languages: null, ...unknown })] },
};
