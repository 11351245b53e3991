-- no transaction
create unique index concurrently if not exists outbox_ids on outbox (id, created_at);
