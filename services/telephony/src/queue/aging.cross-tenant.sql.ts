import { observeBy, type Database, type Registry } from '@parley/runtime';

/**
 * Metrics of problems that build up slowly: old snapshots, transaction id consumption, and erasures that do not complete. All replicas report the same values.
 */
export function observeAging(registry: Registry, db: Database): void {
  observeBy(
    registry,
    {
      parley_postgresql_oldest_snapshot_seconds:
        'For how long a session or a prepared transaction has held the oldest snapshot',
      parley_postgresql_oldest_snapshot_transactions:
        'How many transactions began since the oldest snapshot, replication slots included',
      parley_postgresql_transaction_id_age:
        'Transaction ids since the oldest row of the database that is not frozen; PostgreSQL stops writes near 2^31',
      parley_postgresql_database_bytes: 'Size of the database, of all services that are in it',
      parley_postgresql_slot_retained_bytes: 'Log that is kept for the replica that is furthest behind and has a slot',
      parley_oldest_erasure_seconds:
        'For how long the oldest erasure has run, or a copy of what was erased has been left',
    },
    async () => {
      const { rows } = await db.query<Aging>({
        name: 'aging',
        text: `select s.held_seconds, s.held_transactions::double precision, s.frozen_age::double precision,
                 pg_database_size(current_database())::double precision as database_bytes,
                 case when pg_is_in_recovery() then 0 else coalesce(
                   (select max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) from pg_replication_slots), 0) end::double precision as retained_bytes,
                 coalesce(extract(epoch from clock_timestamp() - least(
                   (select min(created_at) from erasures where status = 'running'),
                   (select min(erased_at) from erased_copies))), 0)::double precision as erasing
               from oldest_snapshot() s`,
      });
      const [found] = rows;
      return {
        parley_postgresql_oldest_snapshot_seconds: found?.held_seconds ?? 0,
        parley_postgresql_oldest_snapshot_transactions: found?.held_transactions ?? 0,
        parley_postgresql_transaction_id_age: found?.frozen_age ?? 0,
        parley_postgresql_database_bytes: found?.database_bytes ?? 0,
        parley_postgresql_slot_retained_bytes: found?.retained_bytes ?? 0,
        parley_oldest_erasure_seconds: found?.erasing ?? 0,
      };
    },
  );
}

interface Aging {
  readonly held_seconds: number;
  readonly held_transactions: number;
  readonly frozen_age: number;
  readonly database_bytes: number;
  readonly retained_bytes: number;
  readonly erasing: number;
}
