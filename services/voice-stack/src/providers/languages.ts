/** Codes from a text, so that a long list reads as one. */
export const list = (codes: string): readonly string[] => codes.split(' ');

export const englishOnly = list('en');
