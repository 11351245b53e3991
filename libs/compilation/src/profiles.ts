import type { AgentLanguageProfileOverride, VoiceStackConfiguration } from '@parley/contract';
import { followedBy, type Catalogue, type TranscriberModel } from './catalogue';
import { baseLanguage, covers, foldLanguage } from './language';
import { choose, chooseVoice, type Chosen, type ChosenVoice, type Stack } from './stack';

/** The components of one agent language with overrides applied (docs/reference/voice-stack.md#languages: omitted values inherit the shared stack). */
export interface EffectiveProfile {
  readonly locale: string;
  /** Absent: the shared first message. */
  readonly greeting: string | undefined;
  readonly transcriber: Chosen<TranscriberModel>;
  readonly voice: ChosenVoice;
}

/** The overrides of a configuration by normalized locale, without duplicates. */
export type Overrides = ReadonlyMap<string, AgentLanguageProfileOverride>;

export const overridesOf = ({ language_profiles: profiles }: VoiceStackConfiguration): Overrides =>
  new Map(profiles.map((profile) => [foldLanguage(profile.locale), profile]));

/** The effective profile of a language. */
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
 * The languages that a configuration is compiled for (docs/reference/agents.md and docs/reference/voice-stack.md#languages). None on an engine without a language axis:
 * stored languages stay, without effect.
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

/** The stored primary language or its selected form; the first selected language if it is not selected; otherwise the platform's default. */
export function primaryLanguage(configuration: VoiceStackConfiguration, catalogue: Catalogue): string {
  const selected = configuration.languages ?? [];
  const stored = configuration.language ?? undefined;
  const first = selected[0];
  if (stored === undefined) return first ?? catalogue.defaults.language;
  if (first === undefined) return stored;
  const named = (form: (language: string) => string) => selected.find((language) => form(language) === form(stored));
  return named(foldLanguage) ?? named(baseLanguage) ?? first;
}

/** Every language supported by all components of the stack, sorted: what `scope: all` freezes (docs/reference/voice-stack.md#languages). */
function compatibleLanguages(configuration: VoiceStackConfiguration, stack: Stack, catalogue: Catalogue): string[] {
  // If one component supports any language, the other one's list applies; if both do, there is no list.
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
