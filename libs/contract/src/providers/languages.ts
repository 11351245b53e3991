import { baseLanguage, foldLanguage } from '../rules/language-code';

/** The codes of Deepgram's Nova-3: the catalogue lists them, and a request has one of them. */
export const deepgramNova3: readonly string[] = (
  'af ar be bn bs bg ca zh zh-HK hr cs da nl en et fi nl-BE fr gl de el gu he hi hu id it ja kn ko lv lt mk ms mr no fa pl pt ro ' +
  'ru sr sk sl es sv tl ta te th tr uk vi xh zu'
).split(' ');

/** The listed code for a language, as the provider writes it: its own, that of its base language, or of a regional form; otherwise the language. */
export function listedCode(codes: readonly string[], language: string): string {
  const base = baseLanguage(language);
  return (
    codes.find((code) => foldLanguage(code) === foldLanguage(language)) ??
    codes.find((code) => foldLanguage(code) === base) ??
    codes.find((code) => baseLanguage(code) === base) ??
    language
  );
}
