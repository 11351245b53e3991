-- no transaction
-- Lists of messages by direction, newest or oldest first.
create index concurrently if not exists messages_by_direction on messages (direction, organization_id, message_id);
