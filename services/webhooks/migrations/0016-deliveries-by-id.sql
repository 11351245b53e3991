-- no transaction
create index concurrently if not exists deliveries_by_id on deliveries (id);
