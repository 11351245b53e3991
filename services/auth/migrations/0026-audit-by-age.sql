-- no transaction
-- For the deletion of old entries (0027).
create index concurrently if not exists audit_log_by_age on audit_log (created_at);
