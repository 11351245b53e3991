import { fieldsOf, genderOf, textOf, type InventoryProtocol, type ListedVoice } from './protocol';

/** GET /voices; each voice has the language in which it was created. */
export const inventory: InventoryProtocol = {
  baseUrl: 'https://api.cartesia.ai',
  headers: (apiKey) => ({ authorization: `Bearer ${apiKey}`, 'cartesia-version': '2026-03-01' }),
  page: (after) => `/voices?limit=100${after === undefined ? '' : `&starting_after=${encodeURIComponent(after)}`}`,
  read(body) {
    const { data, has_more: more } = fieldsOf(body);
    if (!Array.isArray(data)) return undefined;
    const last = textOf(fieldsOf(data.at(-1)).id);
    return { voices: data.flatMap(voiceOf), next: more === true ? last : undefined };
  },
  one: (voiceId) => `/voices/${encodeURIComponent(voiceId)}`,
};

function voiceOf(listed: unknown): ListedVoice[] {
  const { id, name, language, gender } = fieldsOf(listed);
  const voiceId = textOf(id);
  if (voiceId === undefined) return [];
  const spoken = textOf(language);
  return [
    {
      voice_id: voiceId,
      name: textOf(name) ?? voiceId,
      ...(spoken !== undefined && { languages: [spoken] }),
      ...genderOf(gender),
    },
  ];
}
