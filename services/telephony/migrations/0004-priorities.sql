-- Priorities inside an organization: 0 goes before 1 (normal) before 2. Organizations still take turns whatever theirs is.
alter table jobs add column priority smallint not null default 1 check (priority between 0 and 2);

-- A claim probes one priority after the other, so the time comes right after it: jobs scheduled for later are never walked over.
drop index jobs_waiting;
create index jobs_waiting on jobs (organization_id, priority, available_at, job_id) where state = 'queued';

-- Answers to reports are forgotten some time after their job is over.
create index job_reports_age on job_reports using brin (reported_at);
