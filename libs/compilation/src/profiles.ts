import type { AgentLanguageProfileOverride, VoiceStackConfiguration } from '@parley/contract';
import { followedBy, type Catalogue, type TranscriberModel } from './catalogue';
import { baseLanguage, covers, foldLanguage } from './language';
import { choose, chooseVoice, type Chosen, type ChosenVoice, type Stack } from './stack';

/**
 * The components of one of the agent's languages, with its overrides applied (docs/reference/voice-stack.md#languages: omitted values are inherited from the
 * shared stack).
 */
export interface EffectiveProfile {
  readonly locale: string;
  /** Absent: the shared first message is used. */
  readonly greeting: string | undefined;
  readonly transcriber: Chosen<TranscriberModel>;
  readonly voice: ChosenVoice;
}

/** The overrides of a configuration by normalized locale; each locale occurs once. */
export type Overrides = ReadonlyMap<string, AgentLanguageProfileOverride>;

export const overridesOf = ({ language_profiles: profiles }: VoiceStackConfiguration): Overrides =>
  new Map(profiles.map((profile) => [foldLanguage(profile.locale), profile]));

/** Applies the overrides of a language to the shared stack. */
export function effectiveProfile(
  locale: string,
  overrides: Overrides,
  stack: Stack,
  catalogue: Catalogue,
): EffectiveProfile {
  const override = overrides.get(foldLanguage(locale));
  return {
    locale,
    greeting: override?.greeting === '' ? undefined : override?.greeting,
    transcriber:
      override?.transcriber === undefined ? stack.transcriber : choose(catalogue.transcribers, override.transcriber),
    voice: override?.voice === undefined ? stack.voice : chooseVoice(override.voice, catalogue),
  };
}

/**
 * The languages for which a configuration is compiled (docs/reference/agents.md and docs/reference/voice-stack.md#languages). Empty if the engine ignores
 * language settings (`has_language_axis` is false): languages stay stored but have no effect.
 */
export function languagesOf(
  configuration: VoiceStackConfiguration,
  stack: Stack,
  catalogue: Catalogue,
): readonly string[] {
  if (!catalogue.conversation_engines[configuration.voice_frontend].has_language_axis) return [];
  const selected = configuration.languages ?? [];
  const primary = primaryLanguage(configuration, catalogue);
  if (configuration.follow_caller?.enabled !== true || configuration.follow_caller.scope !== 'all') {
    return selected.length > 0 ? selected : [primary];
  }
  return [
    primary,
    ...compatibleLanguages(configuration, stack, catalogue).filter(
      (language) => foldLanguage(language) !== foldLanguage(primary),
    ),
  ];
}

/**
 * The stored primary language, or its form among the selected languages; the first selected language if it is not among them; otherwise the platform's default.
 */
export function primaryLanguage(configuration: VoiceStackConfiguration, catalogue: Catalogue): string {
  const selected = configuration.languages ?? [];
  const stored = configuration.language ?? undefined;
  const first = selected[0];
  if (stored === undefined) return first ?? catalogue.defaults.language;
  if (first === undefined) return stored;
  const named = (form: (language: string) => string) => selected.find((language) => form(language) === form(stored));
  return named(foldLanguage) ?? named(baseLanguage) ?? first;
}

/** All languages supported by every component of the stack, sorted. `scope: all` stores this list (docs/reference/voice-stack.md#languages). */
function compatibleLanguages(configuration: VoiceStackConfiguration, stack: Stack, catalogue: Catalogue): string[] {
  // If one component supports any language, the other component's list applies; if both do, the list is empty.
  const transcriber = stack.transcriber.found?.entry;
  const heard = (transcriber && followedBy(transcriber)) ?? stack.voice.found?.entry.languages ?? [];
  const overrides = overridesOf(configuration);
  return [...heard].sort().filter((language) => {
    const voice = effectiveProfile(language, overrides, stack, catalogue).voice.found?.entry;
    return (
      voice !== undefined &&
      covers(voice.languages, language) &&
      covers(stack.model.found?.entry.languages ?? null, language)
    );
  });
}
