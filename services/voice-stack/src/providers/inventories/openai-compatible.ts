import { fieldsOf, textOf, type InventoryProtocol } from './protocol';

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
