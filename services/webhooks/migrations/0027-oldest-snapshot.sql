-- How long the oldest snapshot of this service's PostgreSQL server has been held: each service measures its own server (libs/service/sql/oldest-snapshot.sql).
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
