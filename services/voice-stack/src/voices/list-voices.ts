import { covers, type Catalogue, type VoiceModel } from '@parley/compilation';
import type { Voice, VoiceListQuery } from '@parley/contract';
import { AppError, badRequest, internal, invalidField } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import { pageDocument, pagePosition } from '@parley/service';
import type { ListedVoice } from '../providers';
import { protocolOf, type Inventories, type InventoryOf } from './inventories';
import { InventoryFailure } from './read-inventory';

/**
 * GET /v1/voices: the inventory of the named credential, else of the installation's account, if the provider has inventories, otherwise the voices in the
 * catalogue; in the order of ids.
 * @throws AppError BadRequestError for a provider without voices or without an account, and for a credential that the provider refuses; rate_limited;
 * internal_error 502 and 504 if the provider is unavailable
 */
export async function listVoices(
  catalogue: Catalogue,
  inventories: Inventories,
  organizationId: string,
  query: VoiceListQuery,
  context: OutgoingContext,
): Promise<string> {
  const { provider, language, component_credential_id: credentialId = '' } = query;
  const { limit, after } = pagePosition(query, ['text', 'text', 'text']);
  const listed =
    provider === undefined
      ? catalogue.voices.flatMap((one) => knownVoices(one.provider, one.models))
      : await listAccountVoices(catalogue, inventories, { organizationId, provider, credentialId }, context);
  const place = (voice: Voice): string => JSON.stringify(placeOf(voice));
  const rest = listed
    .filter((voice) => language === undefined || voice.languages.length === 0 || covers(voice.languages, language))
    .sort((one, other) => (place(one) < place(other) ? -1 : 1))
    .filter((voice) => after === undefined || place(voice) > JSON.stringify(after));
  return pageDocument(rest.slice(0, limit + 1), limit, JSON.stringify, placeOf);
}

const placeOf = ({ voice_id: id, model, provider }: Voice) => [id, model, provider];

async function listAccountVoices(
  catalogue: Catalogue,
  inventories: Inventories,
  account: InventoryOf,
  context: OutgoingContext,
): Promise<Voice[]> {
  const { provider } = account;
  const offered = catalogue.voices.find((one) => one.provider === provider)?.models ?? [];
  const [usual] = offered;
  if (usual === undefined) throw invalidField('provider', 'not_allowed', 'has no voices in the catalogue');
  if (protocolOf(provider) === undefined) return knownVoices(provider, offered);
  const listed = await fetchInventory(inventories, account, context);
  return listed.map((voice) => viewOf(provider, usual, voice));
}

async function fetchInventory(
  inventories: Inventories,
  account: InventoryOf,
  context: OutgoingContext,
): Promise<readonly ListedVoice[]> {
  const { provider } = account;
  try {
    const inventory = await inventories.of(account, context);
    if (inventory === undefined)
      throw invalidField('component_credential_id', 'not_allowed', `must name one of kind tts for ${provider}`);
    return inventory.voices;
  } catch (error) {
    if (!(error instanceof InventoryFailure)) throw error;
    if (error.reason === 'refused') throw badRequest(`provider ${provider} rejects the component credential`);
    if (error.reason === 'rate_limited')
      throw new AppError('rate_limited', `${provider} limits the rate of requests`, {
        fields: { retry_after_seconds: error.retryAfterSeconds },
      });
    throw internal(error, error.reason === 'late' ? 504 : 502);
  }
}

/** The voices of a provider that are in the catalogue. */
function knownVoices(provider: string, models: readonly VoiceModel[]): Voice[] {
  return models.flatMap((model) => {
    const { default_voice_id: id, known_voices: known = [] } = model;
    const usual = id === null ? [] : [{ voice_id: id, name: id }];
    const others = known.map((one) => ({ voice_id: one, name: one.charAt(0).toUpperCase() + one.slice(1) }));
    return [...usual, ...others].map((voice) => viewOf(provider, model, voice));
  });
}

const viewOf = (provider: string, model: VoiceModel, { voice_id, name, languages, ...rest }: ListedVoice): Voice => ({
  voice_id,
  provider,
  model: model.model,
  name,
  languages: [...(languages ?? model.languages ?? [])],
  ...rest,
});
