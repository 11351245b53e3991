-- Which workers may claim a job: that of its number when the call was placed. It stands in the index before the priority, so that hosted workers
-- do not walk over what an organization's own workers leave waiting.
alter table jobs add column dialer text not null default 'hosted' check (dialer in ('hosted', 'own'));
create index jobs_waiting_by_dialer on jobs (organization_id, dialer, priority, available_at, job_id) where state = 'queued';
drop index jobs_waiting;
alter index jobs_waiting_by_dialer rename to jobs_waiting;
