/** The strong ETag of a knowledge base (docs/reference/requests.md). */
export const etagOf = (revision: number): string => `"${revision}"`;
