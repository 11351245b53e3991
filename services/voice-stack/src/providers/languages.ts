/** Splits a text into language codes, which keeps long lists readable. */
export const list = (codes: string): readonly string[] => codes.split(' ');

export const englishOnly = list('en');
