import { baseLanguage } from '@parley/contract';
import refusals from './refusals.json';

/** Languages that are written without spaces, or in which endings are written together with the word. */
const inParts: ReadonlySet<string> = new Set(refusals.inParts);

/** Refusals in any language if nothing else is said: "yes, cancel it" may be the consent to a cancellation. */
const alone: ReadonlySet<string> = new Set(refusals.alone);

/** Words with which a person refuses, by language; in the languages of `inParts`, parts of what is said. */
const words: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(refusals.words).flatMap(([languages, text]) =>
    languages.split(' ').map((language) => [language, new Set(text.normalize('NFC').split(' '))]),
  ),
);

/**
 * Whether a person refuses. Any word of refusal counts, also in "no problem": the question is then asked again, which does no harm. In other languages the words
 * of English count.
 */
export function isRefusal(text: string, language: string): boolean {
  const base = baseLanguage(language);
  const own = words.get(base) ?? words.get('en');
  const spoken = text.normalize('NFC').toLowerCase().replaceAll('’', "'");
  const said = spoken.split(/[^\p{L}\p{M}\p{N}']+/u).filter((word) => word !== '');
  if (alone.has(said.join(' '))) return true;
  return inParts.has(base)
    ? [...(own ?? [])].some((part) => said.join('').includes(part))
    : said.some((word) => own?.has(word));
}
