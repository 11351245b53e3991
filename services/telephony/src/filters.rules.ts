/** Filters that lists of calls and of messages share. */
export interface ListFilter {
  /** Each empty or a filter. */
  readonly agentId: string;
  readonly projectId: string;
  readonly status: string;
  readonly direction: string;
  readonly from: string;
  readonly to: string;
  /** Created at this time or later, and before that one; each with the id that bounds it in an index of ids. */
  readonly since: string;
  readonly leastId: string;
  readonly until: string;
  readonly idBefore: string;
  /** Only resources older than this one; empty for the first page. */
  readonly before: string;
  readonly limit: number;
}

/**
 * The end of a statement `select ... where organization_id = $1`: what is asked for, newest first, at most `limit` rows. The
 * statement gets no name: its text depends on what is asked for.
 * @param idColumn the resource's id, which sorts by time
 */
export function filtered(
  organizationId: string,
  filter: ListFilter,
  idColumn: string,
): { readonly end: string; readonly values: unknown[] } {
  const values: unknown[] = [organizationId, filter.limit];
  const conditions = [
    ['agent_id =', filter.agentId],
    ['project_id =', filter.projectId],
    ['status =', filter.status],
    ['direction =', filter.direction],
    ['from_number =', filter.from],
    ['to_number =', filter.to],
    ['created_at >=', filter.since],
    [`${idColumn} >=`, filter.leastId],
    ['created_at <', filter.until],
    [`${idColumn} <`, filter.idBefore],
    [`${idColumn} <`, filter.before],
  ].filter(([, value]) => value !== '');
  const filters = conditions.map(([condition, value]) => ` and ${condition} $${values.push(value)}`);
  return { end: `${filters.join('')} order by ${idColumn} desc limit $2`, values };
}
