import { conflict } from '@parley/errors';

/**
 * Compares an If-Match header with the current state.
 * @param header as sent: '' for none, `*`, or a list of entity tags
 * @param etag of the current state, including quotes
 * @throws AppError ConflictError if the header contains only tags of other states
 */
export function requireMatch(header: string, etag: string): void {
  if (header === '' || header.trim() === '*') return;
  if (!header.split(',').some((tag) => tag.trim() === etag)) throw conflict('If-Match is stale');
}
