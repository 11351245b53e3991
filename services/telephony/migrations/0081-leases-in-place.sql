-- A lease is extended every few seconds, by which no index may change: each heartbeat would leave an entry behind in it, a million in the hours of a backup's
-- snapshot, and every look at the leases would walk over them. Leased jobs are as many as calls are talking: expired ones are found among those.
drop index jobs_leased;
alter index jobs_leased_by_id rename to jobs_leased;
-- Room for the next versions of a row in its own page.
alter table jobs set (fillfactor = 70);
