-- no transaction
alter table outbox validate constraint outbox_until;
