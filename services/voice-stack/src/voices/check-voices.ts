import type { Blocker, Publication, VoiceStackConfiguration } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { protocolOf, type Inventories } from './inventories';

/** The timeout of the check while a configuration is saved. A read of the inventory that takes longer continues, and the next save uses its result. */
const patienceMs = 2_500;

/** The result of checking the voices of a publication. */
export interface CheckedVoices {
  readonly blockers: readonly Blocker[];
  /** Each has the format `code: text`. */
  readonly warnings: readonly string[];
}

interface Spoken {
  readonly scope: string;
  readonly provider: string;
  readonly voiceId: string;
}

/**
 * Checks whether the voices exist at their provider, with the account that calls would use: a blocker for each missing voice, a warning if the provider is
 * unavailable.
 */
export async function checkVoices(
  inventories: Inventories,
  configuration: VoiceStackConfiguration,
  publication: Publication,
  context: OutgoingContext,
): Promise<CheckedVoices> {
  const checked = await Promise.all(
    spokenOf(publication).map((spoken) => checkVoice(inventories, configuration, spoken, context)),
  );
  return {
    blockers: checked.flatMap(({ blockers }) => blockers),
    warnings: [...new Set(checked.flatMap(({ warnings }) => warnings))],
  };
}

/** Each voice once, with the first place at which it is used. */
function spokenOf({ voice, profiles }: Publication): Spoken[] {
  const all = [
    ...[voice, ...(voice.fallbacks ?? [])].map(({ provider, voice_id: id }) => ({
      scope: 'voice',
      provider,
      voiceId: id ?? '',
    })),
    ...profiles.map(({ locale, voice: own }) => ({
      scope: `language:${locale}`,
      provider: own.provider,
      voiceId: own.voice_id,
    })),
  ].filter(({ provider, voiceId }) => voiceId !== '' && protocolOf(provider)?.one !== undefined);
  return [...new Map(all.toReversed().map((one) => [`${one.provider}/${one.voiceId}`, one])).values()];
}

async function checkVoice(
  inventories: Inventories,
  {
    organization_id,
    component_credential_bindings: bindings,
    component_credential_providers: bound,
    component_credential_standby: standby,
  }: VoiceStackConfiguration,
  { scope, provider, voiceId }: Spoken,
  context: OutgoingContext,
): Promise<CheckedVoices> {
  // A credential gives access only to voices of its own provider. Voices of other providers use a standby credential or the installation's account.
  const isBound = typeof bindings.tts === 'string' && (bound === undefined || bound.tts === provider);
  const own = (isBound ? bindings.tts : standby?.tts?.[provider]) ?? '';
  const unknown = [`voice_unchecked: it cannot be checked at the moment whether ${provider} has the voice ${voiceId}`];
  try {
    const wanted = { organizationId: own === '' ? '' : organization_id, provider, credentialId: own };
    const has = async () => (await inventories.of(wanted, context))?.has(voiceId) ?? true;
    if (await within(patienceMs, has())) return { blockers: [], warnings: [] };
    return {
      blockers: [{ code: 'voice_unknown', scope, detail: `${provider} has no voice ${voiceId} for this account` }],
      warnings: [],
    };
  } catch {
    return { blockers: [], warnings: unknown };
  }
}

async function within<T>(ms: number, asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), ms);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
