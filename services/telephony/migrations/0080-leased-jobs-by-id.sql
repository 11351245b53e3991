-- no transaction
create index concurrently if not exists jobs_leased_by_id on jobs (job_id) where state = 'leased';
