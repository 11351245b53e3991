import { baseLanguage, foldLanguage } from '@parley/contract';
import { invalidField } from '@parley/errors';
import type { AgentDocument, LanguageProfile } from './agent-document.rules';

/** Whether a conversation engine has a language axis: the catalogue's `has_language_axis` (docs/reference/voice-stack.md#read). */
export type LanguageAxis = (engine: AgentDocument['voice_frontend']) => boolean;

const languageFields = ['languages', 'language_profiles', 'follow_caller'] as const;

/**
 * Refuses language fields on an engine without a language axis, naming field and engine (docs/reference/agents.md and docs/reference/voice-stack.md).
 * Only fields that this request sends are refused: what is stored from another engine stays, without effect.
 */
export function refuseLanguageFields(
  sent: object,
  engine: AgentDocument['voice_frontend'],
  hasAxis: LanguageAxis,
): void {
  if (hasAxis(engine)) return;
  const field = languageFields.find((name) => (sent as Readonly<Record<string, unknown>>)[name] !== undefined);
  if (field !== undefined)
    throw invalidField(field, 'conflict_with', `is not accepted: ${engine} has no language axis`);
}

/** follow_caller needs two languages under either scope (docs/reference/agents.md, docs/reference/voice-stack.md). */
export function checkFollowCaller(document: AgentDocument, hasAxis: LanguageAxis): void {
  if (document.follow_caller?.enabled !== true || !hasAxis(document.voice_frontend)) return;
  if ((document.languages ?? []).length < 2)
    throw invalidField('follow_caller', 'conflict_with', 'needs at least two languages');
}

/**
 * A language code must be well-formed: a language of letters, then subtags. Whether anything supports it is the
 * publication's to say (docs/reference/voice-stack.md).
 */
export function checkLanguage(field: string, language: string | null | undefined): void {
  if (typeof language === 'string' && !wellFormed.test(language))
    throw invalidField(field, 'format', 'is not a well-formed language code');
}

const wellFormed = /^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/;

/** A selected set without repetitions; 400 naming the field otherwise. */
export function distinctLanguages(languages: readonly string[]): readonly string[] {
  languages.forEach((language, index) => checkLanguage(`languages[${index}]`, language));
  const seen = new Set<string>();
  for (const language of languages) {
    const count = seen.size;
    if (seen.add(foldLanguage(language)).size === count)
      throw invalidField('languages', 'duplicate', `names ${language} twice`);
  }
  return languages;
}

/** The sparse override set as stored: one override a locale, an empty greeting removes its own (docs/reference/voice-stack.md#languages). */
export function normaliseProfiles(profiles: readonly LanguageProfile[]): readonly LanguageProfile[] {
  const seen = new Set<string>();
  return profiles.map((profile, index) => {
    checkLanguage(`language_profiles[${index}].locale`, profile.locale);
    const folded = foldLanguage(profile.locale);
    if (seen.has(folded))
      throw invalidField(`language_profiles[${index}].locale`, 'duplicate', `names ${profile.locale} twice`);
    seen.add(folded);
    const { greeting, ...rest } = profile;
    return greeting === undefined || greeting === '' ? rest : { ...rest, greeting };
  });
}

/** `selected` is what an omitted scope means; a switched-off opt-in has none. */
export function normaliseFollowCaller(
  follow: NonNullable<AgentDocument['follow_caller']>,
): NonNullable<AgentDocument['follow_caller']> {
  return follow.enabled ? { enabled: true, scope: follow.scope ?? 'selected' } : { enabled: false };
}

/** Whether a language is selected, or a variant of a selected one: `de` matches a selected `de-AT`. */
export const isSelected = (language: string, selected: readonly string[]): boolean =>
  selected.some((one) => foldLanguage(one) === foldLanguage(language) || baseLanguage(one) === baseLanguage(language));

/**
 * The primary language after a write, so that every read of the agent shows the same one: a language that the write names must be among the selected
 * ones, and a stored one that a new selection no longer has gives way to the first selected.
 * @throws AppError BadRequestError naming language
 */
export function primaryLanguageAfter(
  document: Pick<AgentDocument, 'language' | 'languages'>,
  sent: string | null | undefined,
): string | undefined {
  const { language, languages } = document;
  if (language === undefined || languages === undefined || isSelected(language, languages)) return language;
  if (typeof sent !== 'string') return undefined;
  throw invalidField('language', 'conflict_with', `must be one of languages (${languages.join(', ')})`);
}
