-- The two seconds (counted from 1970) in which the row was last updated, as in organization_controls: the end of each call updates the same row for an hour.
alter table call_rollups add column era integer not null default 0;
