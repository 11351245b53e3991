/** The strong entity tag of a knowledge base (docs/reference/requests.md). */
export const etagOf = (revision: number): string => `"${revision}"`;
