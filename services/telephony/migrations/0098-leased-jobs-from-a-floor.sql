-- Statements read leased jobs from the start of the oldest lease on. From its beginning, an index would have an entry of each job that was ever leased, as long
-- as an old snapshot prevents their removal.
drop index jobs_leased;
alter index jobs_leased_by_start rename to jobs_leased;
