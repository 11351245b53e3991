import { baseLanguage, foldLanguage } from '@parley/contract';
import { invalidField } from '@parley/errors';
import type { AgentDocument, LanguageProfile } from './agent-document.rules';

/** Whether a conversation engine supports the selection of languages: `has_language_axis` of the catalogue (docs/reference/voice-stack.md#read). */
export type LanguageAxis = (engine: AgentDocument['voice_frontend']) => boolean;

const languageFields = ['languages', 'language_profiles', 'follow_caller'] as const;

/**
 * Refuses language fields for an engine without language selection, naming field and engine (docs/reference/agents.md and docs/reference/voice-stack.md). Only
 * fields in the request are refused: fields stored for an earlier engine stay, without effect.
 */
export function refuseLanguageFields(
  sent: object,
  engine: AgentDocument['voice_frontend'],
  hasAxis: LanguageAxis,
): void {
  if (hasAxis(engine)) return;
  const field = languageFields.find((name) => (sent as Readonly<Record<string, unknown>>)[name] !== undefined);
  if (field !== undefined)
    throw invalidField(field, 'conflict_with', `is not accepted: ${engine} has no language setting`);
}

/** follow_caller requires at least two languages, whatever its scope (docs/reference/agents.md, docs/reference/voice-stack.md). */
export function checkFollowCaller(document: AgentDocument, hasAxis: LanguageAxis): void {
  if (document.follow_caller?.enabled !== true || !hasAxis(document.voice_frontend)) return;
  if ((document.languages ?? []).length < 2)
    throw invalidField('follow_caller', 'conflict_with', 'needs at least two languages');
}

/**
 * Checks that a language code is well-formed: a language of letters, then subtags. Whether a component supports the language is checked at publication
 * (docs/reference/voice-stack.md).
 */
export function checkLanguage(field: string, language: string | null | undefined): void {
  if (typeof language === 'string' && !wellFormed.test(language))
    throw invalidField(field, 'format', 'is not a well-formed language code');
}

/** A code as it is stored: providers do not know the form with underscores. */
export const hyphened = (language: string): string => language.replaceAll('_', '-');

const wellFormed = /^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/;

/** Checks that no language is selected twice. @throws BadRequestError naming the field */
export function distinctLanguages(languages: readonly string[]): readonly string[] {
  languages.forEach((language, index) => checkLanguage(`languages[${index}]`, language));
  const seen = new Set<string>();
  for (const language of languages) {
    const count = seen.size;
    if (seen.add(foldLanguage(language)).size === count)
      throw invalidField('languages', 'duplicate', `contains ${language} twice`);
  }
  return languages.map(hyphened);
}

/** The language profiles as stored: one per locale. An empty greeting removes the locale's greeting (docs/reference/voice-stack.md#languages). */
export function normaliseProfiles(profiles: readonly LanguageProfile[]): readonly LanguageProfile[] {
  const seen = new Set<string>();
  return profiles.map((profile, index) => {
    checkLanguage(`language_profiles[${index}].locale`, profile.locale);
    const folded = foldLanguage(profile.locale);
    if (seen.has(folded))
      throw invalidField(`language_profiles[${index}].locale`, 'duplicate', `is a duplicate: ${profile.locale}`);
    seen.add(folded);
    const { greeting, ...rest } = profile;
    const stored = { ...rest, locale: hyphened(profile.locale) };
    return greeting === undefined || greeting === '' ? stored : { ...stored, greeting };
  });
}

/** An omitted scope means `selected`; if follow_caller is disabled there is no scope. */
export function normaliseFollowCaller(
  follow: NonNullable<AgentDocument['follow_caller']>,
): NonNullable<AgentDocument['follow_caller']> {
  return follow.enabled ? { enabled: true, scope: follow.scope ?? 'selected' } : { enabled: false };
}

/** Whether a language is selected, or a variant of a selected one: `de` matches a selected `de-AT`. */
export const isSelected = (language: string, selected: readonly string[]): boolean =>
  selected.some((one) => foldLanguage(one) === foldLanguage(language) || baseLanguage(one) === baseLanguage(language));

/**
 * The primary language after a write, so that every read shows the same one. A language that the write names must be selected. A stored language that is no
 * longer selected is replaced by the first selected one.
 * @throws AppError BadRequestError naming language
 */
export function primaryLanguageAfter(
  document: Pick<AgentDocument, 'language' | 'languages'>,
  sent: string | null | undefined,
): string | undefined {
  const { language, languages } = document;
  if (language === undefined || languages === undefined || isSelected(language, languages))
    return language === undefined ? undefined : hyphened(language);
  if (typeof sent !== 'string') return undefined;
  throw invalidField('language', 'conflict_with', `must be one of languages (${languages.join(', ')})`);
}
