-- libs/outbox/sql/outbox.sql: the outbox as a ring (ADR 0037).
alter table outbox rename to outbox_before;
alter index outbox_ids rename to outbox_before_ids;
alter index outbox_waiting rename to outbox_before_waiting;
alter index outbox_published rename to outbox_before_published;

create table outbox (like outbox_before including defaults including constraints including storage) partition by range (created_at);
alter table outbox drop constraint outbox_until;
alter table outbox alter column position add generated always as identity (sequence name outbox_positions);
-- Positions go on where they were. No row is appended meanwhile: the renamed table is locked.
select setval('outbox_positions', last_value, is_called) from outbox_position_seq;
alter table outbox_before alter column position drop identity;
create unique index outbox_ids on outbox (id, created_at);
create index outbox_waiting on outbox (position) where published_at is null;
create index outbox_published on outbox (stream, stream_created, stream_seq) where published_at is not null;
create table outbox_stray partition of outbox default;
create index outbox_stray_age on outbox_stray (created_at);

-- An empty table, as in a new installation, is dropped; another one becomes the first partition. Its bound is known to hold, so nothing is
-- read.
do $$
declare
  upper_bound text := substring(pg_get_constraintdef(
    (select oid from pg_constraint where conrelid = 'outbox_before'::regclass and conname = 'outbox_until')) from '''([^'']+)''');
  used boolean;
begin
  select exists (select from outbox_before) into used;
  if used then
    execute format('alter table outbox attach partition outbox_before for values from (minvalue) to (%L)', upper_bound);
  else
    drop table outbox_before;
  end if;
end $$;
