import { baseLanguage, foldLanguage } from '@parley/contract';

export { baseLanguage, foldLanguage };

/**
 * Whether a list of supported codes covers a language. It does if it contains the language itself or its base language; a base language is also covered by any
 * of its regional forms. One regional form does not cover another (`zh-TW` does not cover `zh-CN`).
 */
export function covers(supported: readonly string[] | null, language: string): boolean {
  if (supported === null) return true;
  const { codes, bases } = foldedOf(supported);
  const wanted = foldLanguage(language);
  const base = baseLanguage(language);
  return codes.has(wanted) || codes.has(base) || (wanted === base && bases.has(base));
}

interface Folded {
  readonly codes: ReadonlySet<string>;
  readonly bases: ReadonlySet<string>;
}

/** Cache of normalized lists. The catalogue's lists never change while the process runs, so each is normalized only once. */
const folded = new WeakMap<readonly string[], Folded>();

function foldedOf(supported: readonly string[]): Folded {
  const known = folded.get(supported);
  if (known !== undefined) return known;
  const made = { codes: new Set(supported.map(foldLanguage)), bases: new Set(supported.map(baseLanguage)) };
  folded.set(supported, made);
  return made;
}
