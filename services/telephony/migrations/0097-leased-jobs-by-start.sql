-- no transaction
create index concurrently if not exists jobs_leased_by_start on jobs (leased_at) where state = 'leased';
