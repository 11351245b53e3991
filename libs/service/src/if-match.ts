import { conflict } from '@parley/errors';

/**
 * Compares an If-Match header with the stored state.
 * @param header as sent: '' for none, `*`, or a list of entity tags
 * @param etag of the stored state, quotes included
 * @throws AppError ConflictError when the header names other states
 */
export function requireMatch(header: string, etag: string): void {
  if (header === '' || header.trim() === '*') return;
  if (!header.split(',').some((tag) => tag.trim() === etag)) throw conflict('If-Match is stale');
}
