import type { Database } from '@parley/runtime';

/** Counting stops at this number, so that a scrape of the metrics never scans a long queue. */
export const countAtMost = 10_000;

export interface Depths {
  readonly queued: number;
  readonly due: number;
  readonly oldest: number;
  readonly leased: number;
  readonly expired: number;
}

export async function readDepths(db: Database): Promise<Depths> {
  const { rows } = await db.query<Depths>({
    name: 'jobs-depths',
    text: `select queue.*, leases.* from
        (select count(*)::integer as queued, (count(*) filter (where available_at <= now()))::integer as due,
            coalesce(extract(epoch from now() - min(available_at)), 0)::double precision as oldest
          from (select available_at from jobs where state = 'queued' limit $1) waiting) queue,
        (select count(*)::integer as leased,
            (count(*) filter (where lease_expires_at <= now()))::integer as expired
          from (select lease_expires_at from jobs where state = 'leased' order by lease_expires_at limit $1) held) leases`,
    values: [countAtMost],
  });
  return rows[0] ?? { queued: 0, due: 0, oldest: 0, leased: 0, expired: 0 };
}

export interface Aging {
  readonly erasing: number;
  readonly failed_erasures: number;
  readonly retention_failing: number;
}

export async function readAging(db: Database): Promise<Aging> {
  const { rows } = await db.query<Aging>({
    name: 'aging',
    text: `select coalesce(extract(epoch from clock_timestamp() - least(
               (select min(created_at) from erasures where status = 'running'),
               (select min(erased_at) from erased_copies))), 0)::double precision as erasing,
             (select count(*) from erasures where status = 'failed' and finished_at > now() - interval '7 days')::integer as failed_erasures,
             coalesce(extract(epoch from clock_timestamp() - (select min(failing_since) from organization_retention)), 0)::double precision
               as retention_failing`,
  });
  return rows[0] ?? { erasing: 0, failed_erasures: 0, retention_failing: 0 };
}
