-- Events that could not be handled, by the standard term. Replicas of the release before go on with the old name, which is an updatable
-- view until the next release drops it.
alter table poison rename to dead_letters;
alter index poison_pkey rename to dead_letters_pkey;
create view poison as select * from dead_letters;
