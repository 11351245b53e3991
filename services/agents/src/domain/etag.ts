import { conflict } from '@parley/errors';

/** The strong entity tag of an agent and of its voice stack (decisions section 1). */
export const etagOf = (revision: number): string => `"${revision}"`;

/** 409 ConflictError when an If-Match header names other states than the current one. Empty: the write is not conditional. */
export function checkIfMatch(header: string, revision: number): void {
  if (header === '' || header.trim() === '*') return;
  const tags = header.split(',').map((tag) => tag.trim());
  if (!tags.includes(etagOf(revision)))
    throw conflict(`If-Match is stale: the current entity tag is ${etagOf(revision)}`);
}
