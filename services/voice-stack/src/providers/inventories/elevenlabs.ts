import { fieldsOf, genderOf, type InventoryProtocol, type ListedVoice, previewOf, textOf } from './protocol';

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
