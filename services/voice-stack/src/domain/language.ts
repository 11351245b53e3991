import { baseLanguage, foldLanguage } from '@parley/contract';

export { baseLanguage, foldLanguage };

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
