-- The table as it is becomes the first partition of its ring, up to a time some days from now. The bound is checked for what is written from
-- here on; the next migration reads what is there already, while everybody works.
do $$
declare
  until timestamptz := (date_trunc('day', now() at time zone 'UTC') + interval '3 days') at time zone 'UTC';
begin
  execute format('alter table outbox add constraint outbox_until check (created_at < %L) not valid', until);
  execute format('alter table job_reports add constraint job_reports_until check (reported_at < %L) not valid', until);
end $$;
