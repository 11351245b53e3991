import { observeBy, type Database, type Registry } from '@parley/runtime';

/** More than this are not counted: a scrape never walks over a long table. */
const COUNT_AT_MOST = 10_000;

/** Lanes (one an endpoint) with something due, as they stand in the database; every replica says the same. */
export function observeDeliveries(registry: Registry, db: Database): void {
  observeBy(
    registry,
    {
      webhook_due_lanes: `Endpoints with a delivery that is due and that no replica works at; at most ${COUNT_AT_MOST}`,
      webhook_oldest_due_lane_seconds: 'For how long the one of them that waits longest has been due',
      webhook_lost_lanes: 'Lanes whose lease ran out: their replica died, and another takes them over',
    },
    async () => {
      const { rows } = await db.query<{ due: number; oldest: number; lost: number }>({
        name: 'lanes-depths',
        text: `select (count(*) filter (where leased_by is null))::integer as due,
            coalesce(extract(epoch from now() - min(due_at) filter (where leased_by is null)), 0)::double precision as oldest,
            (count(*) filter (where leased_by is not null))::integer as lost
          from (select due_at, leased_by from lanes
            where due_at <= now() and (leased_by is null or lease_until <= now()) limit $1) waiting`,
        values: [COUNT_AT_MOST],
      });
      const found = rows[0] ?? { due: 0, oldest: 0, lost: 0 };
      return {
        webhook_due_lanes: found.due,
        webhook_oldest_due_lane_seconds: Math.max(0, found.oldest),
        webhook_lost_lanes: found.lost,
      };
    },
  );
}
