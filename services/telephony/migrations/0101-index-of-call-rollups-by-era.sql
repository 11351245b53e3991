-- no transaction
create index concurrently if not exists call_rollups_by_era on call_rollups ((organization_id || ''), era) where era > 0;
