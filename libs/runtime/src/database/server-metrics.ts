import { observeBy, type Registry } from '../metrics';
import type { Database } from './database';

interface ServerState {
  readonly held_seconds: number;
  readonly held_transactions: number;
  readonly frozen_age: number;
  readonly database_bytes: number;
  readonly retained_bytes: number;
}

/**
 * Metrics of problems that build up slowly in the PostgreSQL server of this service: old snapshots, transaction ids, the size of the database and retained
 * WAL. Services can have a server each, so every service measures its own; all replicas report the same values. The service's schema must include
 * libs/service/sql/oldest-snapshot.sql.
 */
export function observeServer(registry: Registry, db: Database): void {
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
      parley_postgresql_slot_retained_bytes: 'WAL that is kept for the replica that is furthest behind and has a slot',
    },
    async () => {
      const { rows } = await db.query<ServerState>({
        name: 'server-state',
        text: `select s.held_seconds, s.held_transactions::double precision, s.frozen_age::double precision,
                 pg_database_size(current_database())::double precision as database_bytes,
                 case when pg_is_in_recovery() then 0 else coalesce(
                   (select max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) from pg_replication_slots), 0) end::double precision as retained_bytes
               from oldest_snapshot() s`,
      });
      const [found] = rows;
      return {
        parley_postgresql_oldest_snapshot_seconds: found?.held_seconds ?? 0,
        parley_postgresql_oldest_snapshot_transactions: found?.held_transactions ?? 0,
        parley_postgresql_transaction_id_age: found?.frozen_age ?? 0,
        parley_postgresql_database_bytes: found?.database_bytes ?? 0,
        parley_postgresql_slot_retained_bytes: found?.retained_bytes ?? 0,
      };
    },
  );
}
