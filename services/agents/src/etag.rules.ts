/** The strong ETag of an agent and of its voice stack (docs/reference/requests.md). */
export const etagOf = (revision: number): string => `"${revision}"`;
