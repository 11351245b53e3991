-- no transaction
alter table deliveries validate constraint deliveries_until;
