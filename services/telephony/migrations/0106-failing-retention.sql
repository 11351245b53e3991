-- Since when the retention rules of an organization have failed, for the metric parley_retention_failing_seconds: retention that stops unnoticed keeps data
-- longer than promised. Erasures that were abandoned are counted for a week, for the metric parley_failed_erasures.
alter table organization_retention add column failing_since timestamptz;
create index erasures_failed on erasures (finished_at) where status = 'failed';
