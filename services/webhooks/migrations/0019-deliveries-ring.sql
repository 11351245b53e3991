-- Deliveries as a ring (ADR 0037). They go by the id of their event, which is a part of what makes them unique.
alter table deliveries rename to deliveries_before;
alter table deliveries_before rename constraint deliveries_endpoint_id_event_id_generation_key to deliveries_before_key;
alter index deliveries_by_id rename to deliveries_before_by_id;
alter index deliveries_due rename to deliveries_before_due;
alter index deliveries_listing rename to deliveries_before_listing;
alter index deliveries_search rename to deliveries_before_search;
create table deliveries (like deliveries_before including defaults including constraints including storage) partition by range (event_id);
alter table deliveries drop constraint deliveries_until;
alter table deliveries add unique (endpoint_id, event_id, generation);
create index deliveries_by_id on deliveries (id);
create index deliveries_due on deliveries (endpoint_id, next_attempt_at) where status = 'pending';
create index deliveries_listing on deliveries (organization_id, endpoint_id, id desc);
create index deliveries_search on deliveries (organization_id, endpoint_id, status, event_type, id desc);
create table deliveries_stray partition of deliveries default with (fillfactor = 80);
create index deliveries_stray_age on deliveries_stray (event_id);

-- An empty table, as in a new installation, is dropped; another one becomes the first partition. Its bound is known to hold, so nothing is
-- read.
do $$
declare
  upper_bound text := substring(pg_get_constraintdef(
    (select oid from pg_constraint where conrelid = 'deliveries_before'::regclass and conname = 'deliveries_until')) from '''([^'']+)''');
  used boolean;
begin
  select exists (select from deliveries_before) into used;
  if used then
    execute format('alter table deliveries attach partition deliveries_before for values from (minvalue) to (%L)', upper_bound);
  else
    drop table deliveries_before;
  end if;
end $$;
