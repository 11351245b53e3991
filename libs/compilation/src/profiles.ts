import type { AgentLanguageProfileOverride, VoiceStackConfiguration } from '@parley/contract';
import { followedBy, type Catalogue, type TranscriberModel } from './catalogue';
import { baseLanguage, covers, foldLanguage } from './language';
import { choose, chooseVoice, type Chosen, type ChosenVoice, type Stack } from './stack';

/** What one language of an agent runs on, overrides applied (docs/reference/voice-stack.md#languages: omitted values inherit the shared stack). */
export interface EffectiveProfile {
  readonly locale: string;
  /** Absent: the shared first message. */
  readonly greeting: string | undefined;
  readonly transcriber: Chosen<TranscriberModel>;
  readonly voice: ChosenVoice;
}

/** The overrides of a configuration by their folded locale; each is there once. */
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

/** The stored primary language or the selected form of it, the first selected one where it is not among them, else the platform's default. */
export function primaryLanguage(configuration: VoiceStackConfiguration, catalogue: Catalogue): string {
  const selected = configuration.languages ?? [];
  const stored = configuration.language ?? undefined;
  const first = selected[0];
  if (stored === undefined) return first ?? catalogue.defaults.language;
  if (first === undefined) return stored;
  const named = (form: (language: string) => string) => selected.find((language) => form(language) === form(stored));
  return named(foldLanguage) ?? named(baseLanguage) ?? first;
}

/** Every language that the exact stack hears, thinks in and speaks, sorted: what `scope: all` freezes (docs/reference/voice-stack.md#languages). */
function compatibleLanguages(configuration: VoiceStackConfiguration, stack: Stack, catalogue: Catalogue): string[] {
  // Where one component takes any language, the other one's list is the bound; where both do, nothing says which there are.
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
