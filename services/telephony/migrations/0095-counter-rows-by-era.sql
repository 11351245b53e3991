-- The two seconds (counted from 1970) in which the row was last updated. Statements find the row from the era that they read last, so that they do not visit its
-- earlier versions, which an old snapshot keeps from being removed. The index has an expression instead of the column because PostgreSQL would otherwise use
-- the primary key, whose entries are the same for all versions. Replicas of the release before do not change the era, and find the row by the primary key.
alter table organization_controls add column era integer not null default 0;
create index organization_controls_by_era on organization_controls ((organization_id || ''), era);
