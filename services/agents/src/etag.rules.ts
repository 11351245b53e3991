/** The strong entity tag of an agent and of its voice stack (decisions section 1). */
export const etagOf = (revision: number): string => `"${revision}"`;
