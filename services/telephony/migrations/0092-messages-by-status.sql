-- no transaction
-- Lists of messages by status, newest or oldest first.
create index concurrently if not exists messages_by_status on messages (status, organization_id, message_id);
