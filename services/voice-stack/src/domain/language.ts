/** The form in which two language codes are compared: lower case, hyphens (section 2.5 allows 2 to 35 characters). */
export function foldLanguage(language: string): string {
  return language.toLowerCase().replaceAll('_', '-');
}

/** The base language of a code: `de` for `de-AT`. */
export function baseLanguage(language: string): string {
  const folded = foldLanguage(language);
  const end = folded.indexOf('-');
  return end === -1 ? folded : folded.slice(0, end);
}

/**
 * Whether a list of supported codes covers a language: the code itself, its base language, or, for a base language, any
 * of its regional forms. A regional form alone does not cover another one (`zh-TW` does not cover `zh-CN`).
 */
export function covers(supported: readonly string[] | null, language: string): boolean {
  if (supported === null) return true;
  const wanted = foldLanguage(language);
  const base = baseLanguage(language);
  return supported.some((code) => {
    const folded = foldLanguage(code);
    return folded === wanted || folded === base || (wanted === base && baseLanguage(code) === base);
  });
}
