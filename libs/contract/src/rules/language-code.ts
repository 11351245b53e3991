/** The normalized form for comparing language codes: lower case with hyphens (docs/reference/voice-stack.md#languages allows 2 to 35 characters). */
export function foldLanguage(language: string): string {
  return language.toLowerCase().replaceAll('_', '-');
}

/** The normalized base language of a code: `de` for `de-AT`. */
export function baseLanguage(language: string): string {
  const folded = foldLanguage(language);
  const end = folded.indexOf('-');
  return end === -1 ? folded : folded.slice(0, end);
}

/** The profile of a language: that of the same code, otherwise that of its base language. */
export const profileOf = <Profile extends { readonly locale: string }>(
  profiles: readonly Profile[],
  language: string,
): Profile | undefined =>
  profiles.find(({ locale }) => foldLanguage(locale) === foldLanguage(language)) ??
  profiles.find(({ locale }) => foldLanguage(locale) === baseLanguage(language));
