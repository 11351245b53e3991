import type { Search } from '@parley/proto/webhooks';

/** The filters that searches by type and time share. */
export const searchOf = (query: { type?: string; since?: string; until?: string }): Search => ({
  type: query.type ?? '',
  since: query.since ?? '',
  until: query.until ?? '',
});
