-- A call that waits for a review has no job yet: its priority stands on the call until it is approved.
alter table calls add column priority smallint not null default 1 check (priority between 0 and 2);
