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
 * A CTE `locked_queues` that locks the queues of endpoints in the order of their ids, so that two statements for the same queues cannot deadlock.
 * @param ids an expression for the array of the endpoints' ids
 * @param condition is compared again after waiting for a lock
 * @param columns further columns of `locked_queues`, with their values after the lock was acquired
 */
export const lockedQueues = (ids: string, condition = 'true', columns: readonly string[] = []): string =>
  `locked_queues as materialized (
        select ${['endpoint_queues.endpoint_id', ...columns].join(', ')} from endpoint_queues
        where endpoint_id = any(${ids}) and ${condition} order by endpoint_id for no key update)`;

export const isLockedQueue = 'endpoint_queues.endpoint_id = locked_queues.endpoint_id';
