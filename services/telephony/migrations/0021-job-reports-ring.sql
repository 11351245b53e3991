-- Stored replies to reports as a ring (ADR 0037). Reports of one job follow each other under its row's lock, and there it is seen to that the
-- first reply stands: the index that says so of the same time alone is for finding them.
alter table job_reports rename to job_reports_before;
alter index job_reports_ids rename to job_reports_before_ids;
create table job_reports (like job_reports_before including defaults including constraints including storage)
  partition by range (reported_at);
alter table job_reports drop constraint job_reports_until;
create unique index job_reports_ids on job_reports (job_id, epoch, seq, reported_at);
create table job_reports_stray partition of job_reports default;
create index job_reports_stray_age on job_reports_stray (reported_at);

-- An empty table, as in a new installation, is dropped; another one becomes the first partition. Its bound is known to hold, so nothing is
-- read.
do $$
declare
  upper_bound text := substring(pg_get_constraintdef(
    (select oid from pg_constraint where conrelid = 'job_reports_before'::regclass and conname = 'job_reports_until')) from '''([^'']+)''');
  used boolean;
begin
  select exists (select from job_reports_before) into used;
  if used then
    execute format('alter table job_reports attach partition job_reports_before for values from (minvalue) to (%L)', upper_bound);
  else
    drop table job_reports_before;
  end if;
end $$;
