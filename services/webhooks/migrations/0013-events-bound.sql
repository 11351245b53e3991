-- no transaction
alter table events validate constraint events_until;
