-- Events as a ring (ADR 0037). An event's id begins with its time: the partition follows from the id, which stays unique by itself.
alter table events rename to events_before;
alter table events_before rename constraint events_pkey to events_before_pkey;
alter index events_of_organization rename to events_before_of_organization;
alter index events_log rename to events_before_log;
drop trigger events_number on events_before;
drop function number_event();
create table events (like events_before including defaults including constraints including storage) partition by range (id);
alter table events drop constraint events_until;
alter table events add primary key (id);
create index events_of_organization on events (organization_id, id);
create index events_log on events (organization_id, type, log_seq) where log_seq is not null;
create table events_stray partition of events default;

-- An empty table, as in a new installation, is dropped; another one becomes the first partition. Its bound is known to hold, so nothing is
-- read.
do $$
declare
  upper_bound text := substring(pg_get_constraintdef(
    (select oid from pg_constraint where conrelid = 'events_before'::regclass and conname = 'events_until')) from '''([^'']+)''');
  used boolean;
begin
  select exists (select from events_before) into used;
  if used then
    execute format('alter table events attach partition events_before for values from (minvalue) to (%L)', upper_bound);
  else
    drop table events_before;
  end if;
end $$;
