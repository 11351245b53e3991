-- Commands of a worker are found from the open ones, which are few: an index of the jobs by worker took the place of others in plans.
drop index jobs_of_worker;
