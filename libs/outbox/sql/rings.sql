-- Included by the schema of every service that has rings.
--
-- A ring is a table that is partitioned by time: partitions are made ahead and dropped whole when they are older than what is kept
-- (ADR 0037). Its key is a time, or an id that begins with its time. These functions run as the owner of the tables, which the service's
-- role is not. Each waits for no lock longer than its lock_timeout, because what waits for a table makes everybody else queue behind it.

-- The least id of that kind that could have been made at that time: the first 10 of its 26 characters are its milliseconds.
create function ring_id_at(prefix text, at timestamptz) returns text language plpgsql immutable as $$
declare
  left_over bigint := greatest(floor(extract(epoch from at) * 1000), 0);
  body text := '';
begin
  for n in 1..10 loop
    body := substr('0123456789abcdefghjkmnpqrstvwxyz', (left_over & 31)::integer + 1, 1) || body;
    left_over := left_over >> 5;
  end loop;
  return prefix || '_' || body || repeat('0', 16);
end $$;

-- The time of a partition's bound, as PostgreSQL shows it: MINVALUE, a quoted time or a quoted id.
create function ring_time_of(bound text) returns timestamptz language plpgsql stable as $$
declare
  milliseconds bigint := 0;
  body text := substring(bound from '^''[a-z]+_([0-9a-z]{10})[0-9a-z]{16}''$');
begin
  if bound = 'MINVALUE' then return '-infinity'; end if;
  if bound = 'MAXVALUE' then return 'infinity'; end if;
  if body is null then return trim(both '''' from bound)::timestamptz; end if;
  for n in 1..10 loop
    milliseconds := (milliseconds << 5) + position(substr(body, n, 1) in '0123456789abcdefghjkmnpqrstvwxyz') - 1;
  end loop;
  return to_timestamp(milliseconds / 1000.0);
end $$;

-- The partitions of a ring with their times; those of the default partition, which takes what fits in no other, are null.
create function ring_parts(ring text)
returns table (part text, starts timestamptz, ends timestamptz) language sql stable set search_path from current as $$
  select c.relname::text, ring_time_of(bounds[1]), ring_time_of(bounds[2])
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
    left join lateral regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \((.+)\) TO \((.+)\)') as bounds on true
  where i.inhparent = to_regclass(quote_ident(ring))
$$;

-- Makes the partition of a period, or of as much of it as no other partition has. What the default partition holds of that time moves into
-- it, where that is at most `most` rows; more stays where it is until it is forgotten.
-- Returns 'made', 'there' (nothing was missing), 'busy' (another replica is at it) or 'left' (too much is in the default partition).
create function ring_extend(ring text, prefix text, period_starts timestamptz, period_ends timestamptz, most integer, fill integer)
returns text language plpgsql security definer set search_path from current set lock_timeout = '100ms' as $$
declare
  begins timestamptz := period_starts;
  finishes timestamptz := period_ends;
  stray text;
  key text;
  made text;
  lower_bound text;
  upper_bound text;
  strays integer;
begin
  if not pg_try_advisory_xact_lock(7403, hashtext(current_schema() || '.' || ring)) then return 'busy'; end if;
  begins := coalesce((select max(p.ends) from ring_parts(ring) p where p.starts <= begins and p.ends > begins), begins);
  if begins >= finishes then return 'there'; end if;
  finishes := least(finishes, (select min(p.starts) from ring_parts(ring) p where p.starts >= begins));
  if begins >= finishes then return 'there'; end if;

  select a.attname into strict key from pg_partitioned_table t join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
    where t.partrelid = to_regclass(quote_ident(ring));
  lower_bound := case when prefix = '' then begins::text else ring_id_at(prefix, begins) end;
  upper_bound := case when prefix = '' then finishes::text else ring_id_at(prefix, finishes) end;
  made := ring || '_' || to_char(begins at time zone 'UTC',
    case when finishes - begins = interval '1 day' then 'YYYYMMDD' else 'YYYYMMDD_HH24MISSMS' end);
  -- A writer that has chosen the default partition for a row of this period would be refused once the period has a partition of its own
  -- ("violates partition constraint"). So nothing is written while the partition of a time that has come is made.
  if begins <= clock_timestamp() + interval '1 minute' then
    execute format('lock table %I in share row exclusive mode', ring);
  end if;
  -- Made apart and attached: that leaves the ring open to readers, and to writers of other times.
  execute format('create table %I (like %I including defaults including constraints including storage) with (fillfactor = %s)',
    made, ring, fill);
  select p.part into stray from ring_parts(ring) p where p.starts is null;
  if stray is not null then
    execute format('lock table %I in access exclusive mode', stray);
    execute format('select count(*) from (select from %I where %I >= %L and %I < %L limit %s) stray',
      stray, key, lower_bound, key, upper_bound, most + 1) into strays;
    if strays > most then
      execute format('drop table %I', made);
      return 'left';
    end if;
    execute format('with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
      stray, key, lower_bound, key, upper_bound, made);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', ring, made, lower_bound, upper_bound);
  return 'made';
end $$;

-- Drops a partition that ends by `before` and holds no row whose column `needed` is null ('': none is needed). Its own lock is not waited
-- for at all, so that a reader of an old partition delays no one else; the ring's is waited for as long as lock_timeout allows.
-- Returns 'dropped', 'needed', or 'gone' (not there, or not so old).
create function ring_drop(ring text, old text, before timestamptz, needed text)
returns text language plpgsql security definer set search_path from current set lock_timeout = '100ms' as $$
declare
  kept boolean := false;
begin
  if not exists (select from ring_parts(ring) p where p.part = old and p.ends <= before) then return 'gone'; end if;
  execute format('lock table %I in access exclusive mode nowait', old);
  if needed <> '' then execute format('select exists (select from %I where %I is null)', old, needed) into kept; end if;
  if kept then return 'needed'; end if;
  execute format('drop table %I', old);
  return 'dropped';
end $$;
