import { bySettings } from '../delivery';
import { perHour, perMillionCharacters } from '../pricing';
import type { ProviderEntry } from '../provider';
import { list } from '../languages';
import { fieldsOf, genderOf, type InventoryProtocol, type ListedVoice, previewOf, textOf } from '../inventory-protocol';

/** GET /v2/voices returns the account's voices. Every model can use them in all of its languages. */
export const inventory: InventoryProtocol = {
  baseUrl: 'https://api.elevenlabs.io',
  headers: (apiKey) => ({ 'xi-api-key': apiKey }),
  page: (after) =>
    `/v2/voices?page_size=100${after === undefined ? '' : `&next_page_token=${encodeURIComponent(after)}`}`,
  read(body) {
    const { voices, has_more: more, next_page_token: token } = fieldsOf(body);
    if (!Array.isArray(voices)) return undefined;
    return { voices: voices.flatMap(voiceOf), next: more === true ? textOf(token) : undefined };
  },
  one: (voiceId) => `/v1/voices/${encodeURIComponent(voiceId)}`,
};

function voiceOf(listed: unknown): ListedVoice[] {
  const { voice_id, name, labels, preview_url } = fieldsOf(listed);
  const id = textOf(voice_id);
  if (id === undefined) return [];
  return [{ voice_id: id, name: textOf(name) ?? id, ...genderOf(fieldsOf(labels).gender), ...previewOf(preview_url) }];
}

export const elevenMultilingualV2 = list(
  'en ja zh de hi fr ko pt it es id nl tr fil pl sv bg ro ar cs el fi hr ms sk da ta uk ru',
);

export const elevenFlashV25: readonly string[] = [...elevenMultilingualV2, 'hu', 'no', 'vi'];

export const elevenScribe = list(
  'af am ar hy as az be bn bs bg my zh hr cs da nl en et fil fi fr gl ka de el gu ha he hi hu is id it ja jv kn kk ko lv lt mk ms ml mt mr mn ne no fa pl pt pa ro ru sr sk sl es sw sv ta te th tr uk ur uz vi cy zu',
);

export const elevenlabs: ProviderEntry = {
  name: 'elevenlabs',
  requiresAccount: true,
  inventory,
  transcribers: {
    label: 'ElevenLabs',
    models: [
      {
        model: 'scribe_v2_realtime',
        languages: elevenScribe,
        cost_micros_per_minute: perHour(0.28),
        latency_ms: 150,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
        fast_words: true,
        candidate_limit: 32,
      },
    ],
  },
  voices: {
    label: 'ElevenLabs',
    models: [
      bySettings({
        model: 'eleven_flash_v2_5',
        languages: elevenFlashV25,
        cost_micros_per_minute: perMillionCharacters(50),
        latency_ms: 75,
        estimated: ['cost_micros_per_minute'],
      }),
      bySettings({
        model: 'eleven_turbo_v2_5',
        languages: elevenFlashV25,
        cost_micros_per_minute: perMillionCharacters(50),
        latency_ms: 300,
        estimated: ['cost_micros_per_minute'],
      }),
      bySettings({
        model: 'eleven_multilingual_v2',
        languages: elevenMultilingualV2,
        cost_micros_per_minute: perMillionCharacters(100),
        latency_ms: 400,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      }),
    ],
  },
};
