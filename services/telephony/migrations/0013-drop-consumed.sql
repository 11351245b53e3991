-- No handler uses it: each is idempotent by the keys of its own tables.
drop table consumed;
