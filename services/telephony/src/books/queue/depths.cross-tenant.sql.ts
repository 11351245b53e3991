import { observeBy, type Database, type Registry } from '@parley/runtime';

/** Counting stops at this number, so that a scrape of the metrics never scans a long queue. */
const COUNT_AT_MOST = 10_000;

/** Metrics of the queues and of workers' leases, read from the database; all replicas report the same values. */
export function observeJobs(registry: Registry, db: Database): void {
  observeBy(
    registry,
    {
      parley_call_jobs_queued: `Jobs that wait, those for later included; at most ${COUNT_AT_MOST}`,
      parley_call_jobs_runnable: 'Of them, those that a worker may claim now',
      parley_call_jobs_oldest_runnable_seconds:
        'For how long the one of them that waits longest could have been claimed',
      parley_call_jobs_leased: 'Jobs that a worker holds',
      parley_call_jobs_expired_leases: 'Of them, those whose lease ran out and that the reaper has not taken back yet',
    },
    async () => {
      const { rows } = await db.query<Depths>({
        name: 'jobs-depths',
        text: `select queue.*, leases.* from
            (select count(*)::integer as queued, (count(*) filter (where available_at <= now()))::integer as due,
                coalesce(extract(epoch from now() - min(available_at)), 0)::double precision as oldest
              from (select available_at from jobs where state = 'queued' limit $1) waiting) queue,
            (select count(*)::integer as leased,
                (count(*) filter (where lease_expires_at <= now()))::integer as expired
              from (select lease_expires_at from jobs where state = 'leased' order by lease_expires_at limit $1) held) leases`,
        values: [COUNT_AT_MOST],
      });
      const found = rows[0] ?? { queued: 0, due: 0, oldest: 0, leased: 0, expired: 0 };
      return {
        parley_call_jobs_queued: found.queued,
        parley_call_jobs_runnable: found.due,
        parley_call_jobs_oldest_runnable_seconds: Math.max(0, found.oldest),
        parley_call_jobs_leased: found.leased,
        parley_call_jobs_expired_leases: found.expired,
      };
    },
  );
}

interface Depths {
  readonly queued: number;
  readonly due: number;
  readonly oldest: number;
  readonly leased: number;
  readonly expired: number;
}
