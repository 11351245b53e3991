/** Filters shared by lists of calls and of messages. */
export interface ListFilter {
  /** Filters; an empty string means no filter. */
  readonly agentId: string;
  readonly projectId: string;
  readonly status: string;
  readonly endedReason: string;
  readonly direction: string;
  readonly from: string;
  readonly to: string;
  /** Created at or after `since` and before `until`. `leastId` and `idBefore` are the ids of these times, so that an index on ids can be used. */
  readonly since: string;
  readonly leastId: string;
  readonly until: string;
  readonly idBefore: string;
  /** Oldest first instead of newest first. */
  readonly ascending: boolean;
  /** Only resources after this one in the chosen order; empty for the first page. */
  readonly before: string;
  readonly limit: number;
}

/**
 * The parts of a statement `select ... from ... r where <of><end>`: `of` is the condition on the organization; `end` contains the filters, the order and the
 * limit. The statement must not be a named prepared statement, because its text depends on the filters.
 * @param idColumn the resource's id, which sorts by time
 * @param finalStatus the column (null before the end) and the statuses of resources that are over; an index on that column finds them
 * @param foundBy the same id in another table, by whose index the resources are found in the order of the list
 */
export function filtered(
  organizationId: string,
  filter: ListFilter,
  idColumn: string,
  finalStatus?: { readonly column: string; readonly statuses: readonly string[] },
  foundBy?: string,
): { readonly of: string; readonly end: string; readonly values: unknown[] } {
  const values: unknown[] = [organizationId, filter.limit];
  const id = foundBy ?? `r.${idColumn}`;
  const conditions = [
    ['r.agent_id =', filter.agentId],
    ['r.project_id =', filter.projectId],
    ['r.direction =', filter.direction],
    ['r.from_number =', filter.from],
    ['r.to_number =', filter.to],
    ['r.created_at >=', filter.since],
    [`${id} >=`, filter.leastId],
    ['r.created_at <', filter.until],
    [`${id} <`, filter.idBefore],
    [`${id} ${filter.ascending ? '>' : '<'}`, filter.before],
  ].filter(([, value]) => value !== '');
  // Messages have no ended reason.
  if (filter.endedReason !== '' && finalStatus !== undefined) conditions.push(['r.ended_reason =', filter.endedReason]);
  if (filter.status !== '') {
    const isFinal = finalStatus?.statuses.includes(filter.status) === true;
    conditions.push([`r.${isFinal ? finalStatus.column : 'status'} =`, filter.status]);
  }
  const filters = conditions.map(([condition, value]) => ` and ${condition} $${values.push(value)}`);
  if (filter.status !== '' && finalStatus?.statuses.includes(filter.status) === false)
    filters.push(` and r.${finalStatus.column} is null`);
  if (!filter.ascending || foundBy !== undefined) {
    const order = filter.ascending ? '' : ' desc';
    return { of: 'r.organization_id = $1', end: `${filters.join('')} order by ${id}${order} limit $2`, values };
  }
  // A range instead of an equality makes the planner use an index on both columns for the order. The primary key alone provides the order too, but a scan of it
  // would pass the rows of all other organizations.
  const of = 'r.organization_id between $1 and $1';
  return { of, end: `${filters.join('')} order by r.organization_id, ${id} limit $2`, values };
}
