/**
 * Rows `one` with the ids and events of the deliveries of a CTE. They are passed as arrays, so that every plan finds each delivery by its id, and with the event
 * only in its partition.
 */
export const eachOf = (cte: string): string =>
  `unnest(array(select id from ${cte}), array(select event_id from ${cte})) as one (id, event_id)`;

export const isThatOne = 'deliveries.id = one.id and deliveries.event_id = one.event_id';

/**
 * A CTE `locked` with the deliveries of another one. Every statement that updates several deliveries first locks them in the order of their ids, so that two
 * statements for the same deliveries cannot deadlock. The other CTE restricts them to an organization where that is required.
 * @param condition is compared again after waiting for a lock; the update must repeat it
 */
export const lockedDeliveries = (cte: string, condition: string): string =>
  `locked as materialized (
        select deliveries.id, deliveries.event_id from ${eachOf(cte)} join deliveries on ${isThatOne}
        where ${condition} order by deliveries.id for no key update of deliveries)`;

/**
 * CTEs that lock the queues of endpoints in the order of their ids, so that two statements for the same queues cannot deadlock. The last one is `locked_queues`;
 * an update of its rows has the condition `isLockedQueue`. Each queue is searched from the era of its visible version on (ADR 133).
 * @param ids an expression for the array of the endpoints' ids
 * @param condition is compared again after waiting for a lock
 * @param columns further columns of `locked_queues`, with their values after the lock was acquired
 */
export const lockedQueues = (ids: string, condition = 'true', columns: readonly string[] = []): string =>
  `latest as materialized (
        select endpoint_id, endpoint_queue_era(endpoint_id) as era from unnest(${ids}) as one (endpoint_id)),
      locked_queues as materialized (
        select ${['latest.endpoint_id', 'latest.era', ...columns].join(', ')}
        from latest join endpoint_queues on endpoint_queues.endpoint_id = latest.endpoint_id and endpoint_queues.era >= latest.era
        where ${condition} order by latest.endpoint_id for no key update of endpoint_queues)`;

/** The era in `locked_queues` is that of the version in the statement's snapshot. A version that another transaction wrote since has the same era or a later one. */
export const isLockedQueue =
  'endpoint_queues.endpoint_id = locked_queues.endpoint_id and endpoint_queues.era >= locked_queues.era';

/** Whether a row of `endpoint_queues` is the queue of one endpoint, for statements that change a single queue. */
export const isQueueOf = (endpointId: string): string =>
  `endpoint_id = ${endpointId} and era >= endpoint_queue_era(${endpointId})`;
