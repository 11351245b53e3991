-- Included by the schema of every service.
--
-- How long the oldest snapshot of the server has been held, by a query, a dump, a prepared transaction or a replica: what was deleted or replaced since then
-- cannot be removed. Runs as the owner, because the service's role sees no sessions of other roles; an owner without the rights of pg_read_all_stats sees only
-- its own. Read for metrics by libs/runtime/src/database/server-metrics.ts.
create function oldest_snapshot(out held_seconds double precision, out held_transactions bigint, out frozen_age bigint)
language sql stable security definer set search_path from current as $$
  with holder as (
    select extract(epoch from clock_timestamp() - xact_start)::double precision as seconds, age(backend_xmin)::bigint as transactions
    from pg_stat_activity where backend_xmin is not null and backend_type <> 'autovacuum worker' and pid <> pg_backend_pid()
    union all
    select extract(epoch from clock_timestamp() - prepared)::double precision, age(transaction)::bigint from pg_prepared_xacts
    union all
    -- A slot contains how far back it reaches, but not since when.
    select 0, age(xmin)::bigint from pg_replication_slots where xmin is not null)
  select coalesce(max(seconds), 0), coalesce(max(transactions), 0),
    (select max(age(datfrozenxid))::bigint from pg_database where datname = current_database())
  from holder
$$;
