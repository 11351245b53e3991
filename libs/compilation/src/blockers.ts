import type { Blocker, VoiceStackConfiguration } from '@parley/contract';
import type { Catalogue, CredentialKind, Figures, Found } from './catalogue';
import { covers } from './language';
import type { EffectiveProfile } from './profiles';
import { componentKey, type Chosen, type ChosenVoice, type Stack } from './stack';

/** Blockers for components that are not in the catalogue, and for voices without an id. */
export function componentBlockers(stack: Stack, profiles: readonly EffectiveProfile[]): Blocker[] {
  const found: (Blocker | undefined)[] = [
    unknown(stack.transcriber, 'transcriber'),
    unknown(stack.model, 'model'),
    unknown(stack.voice, 'voice'),
    voiceIdMissing(stack.voice, 'voice'),
    ...stack.fallbacks.transcriber.map((one) => unknown(one, 'transcriber')),
    ...stack.fallbacks.model.map((one) => unknown(one, 'model')),
    ...stack.fallbacks.voice.flatMap((one) => [unknown(one, 'voice'), voiceIdMissing(one, 'voice')]),
  ];
  for (const profile of profiles) {
    const scope = `language:${profile.locale}`;
    if (profile.transcriber !== stack.transcriber) found.push(unknown(profile.transcriber, scope));
    if (profile.voice !== stack.voice) found.push(unknown(profile.voice, scope), voiceIdMissing(profile.voice, scope));
  }
  return found.filter((blocker) => blocker !== undefined);
}

/** Blockers for languages that a component of their profile does not support. `listens` is false if one shared transcriber is checked instead. */
export function languageBlockers(stack: Stack, profiles: readonly EffectiveProfile[], listens: boolean): Blocker[] {
  return profiles.flatMap((profile) => {
    const { fallbacks } = stack;
    // The fallbacks of a shared component must support all languages for which it is used.
    const lacking = [
      listens ? profile.transcriber : undefined,
      stack.model,
      profile.voice,
      ...(profile.transcriber === stack.transcriber ? fallbacks.transcriber : []),
      ...fallbacks.model,
      ...(profile.voice === stack.voice ? fallbacks.voice : []),
    ].filter((chosen) => chosen?.found !== undefined && !covers(chosen.found.entry.languages, profile.locale));
    if (lacking.length === 0) return [];
    const names = lacking.map((chosen) => (chosen === undefined ? '' : componentKey(chosen.selection)));
    return [
      {
        code: 'language_not_supported',
        scope: `language:${profile.locale}`,
        detail: `${names.join(' and ')} cannot serve ${profile.locale}`,
      },
    ];
  });
}

interface Used {
  readonly kind: CredentialKind;
  readonly scope: string;
  readonly chosen: Chosen<Figures>;
}

function usedComponents(stack: Stack, profiles: readonly EffectiveProfile[]): Used[] {
  return [
    ...[stack.transcriber, ...stack.fallbacks.transcriber].map((chosen) => used('stt', 'transcriber', chosen)),
    ...[stack.model, ...stack.fallbacks.model].map((chosen) => used('llm', 'model', chosen)),
    ...[stack.voice, ...stack.fallbacks.voice].map((chosen) => used('tts', 'voice', chosen)),
    ...profiles.flatMap(({ locale, transcriber, voice }) => [
      used('stt', `language:${locale}`, transcriber),
      used('tts', `language:${locale}`, voice),
    ]),
  ];
}

const used = (kind: CredentialKind, scope: string, chosen: Chosen<Figures>): Used => ({ kind, scope, chosen });

/**
 * Blockers for providers that require an account but have none, from the organization or from the platform, one per kind and provider; and for models that
 * are unlisted or have no price on the platform's account, because the platform would not know what they cost it.
 */
export function credentialBlockers(
  configuration: VoiceStackConfiguration,
  stack: Stack,
  profiles: readonly EffectiveProfile[],
  catalogue: Catalogue,
): Blocker[] {
  const missing = new Map<string, Blocker>();
  for (const { kind, scope, chosen } of usedComponents(stack, profiles)) {
    const { found } = chosen;
    if (found === undefined || !found.provider.requires_account || isBound(configuration, kind, found)) continue;
    const { provider } = found.provider;
    const component = `${kind}/${componentKey(chosen.selection)}`;
    if (!catalogue.platform_managed.includes(provider))
      missing.set(`${kind}/${provider}`, {
        code: 'credential_missing',
        scope: `credential:${kind}`,
        detail: `no credential for ${provider} is bound`,
      });
    else if ((!found.listed || found.entry.unknown === true) && !missing.has(component))
      missing.set(component, {
        code: 'model_not_in_catalogue',
        scope,
        detail: `${componentKey(chosen.selection)} is not in the catalogue and needs a credential of your own`,
      });
  }
  return [...missing.values()];
}

/** The components whose models the catalogue does not list, and that run on the organization's own credentials. */
export const unlistedComponents = (
  configuration: VoiceStackConfiguration,
  stack: Stack,
  profiles: readonly EffectiveProfile[],
): ReadonlySet<string> =>
  new Set(
    usedComponents(stack, profiles).flatMap(({ kind, chosen: { found, selection } }) =>
      found?.listed === false && isBound(configuration, kind, found) ? [componentKey(selection)] : [],
    ),
  );

/**
 * Whether a component has a credential. A bound credential applies only to components of its own provider, so a language's voice of another provider needs a
 * standby credential.
 */
function isBound(
  {
    component_credential_bindings: bindings,
    component_credential_providers: providers,
    component_credential_standby: standby,
  }: VoiceStackConfiguration,
  kind: CredentialKind,
  { provider: { provider } }: Found<unknown>,
): boolean {
  if (standby?.[kind]?.[provider] !== undefined) return true;
  if (typeof bindings[kind] !== 'string') return false;
  return providers === undefined || providers[kind] === provider;
}

function unknown(chosen: Chosen<unknown>, scope: string): Blocker | undefined {
  if (chosen.found !== undefined) return undefined;
  const code = chosen.isProviderKnown ? 'model_not_in_catalogue' : 'provider_unknown';
  return { code, scope, detail: `the catalogue has no ${componentKey(chosen.selection)}` };
}

function voiceIdMissing(voice: ChosenVoice, scope: string): Blocker | undefined {
  if (voice.found === undefined || voice.voiceId !== '') return undefined;
  return { code: 'voice_id_missing', scope, detail: `${componentKey(voice.selection)} needs a voice_id` };
}
