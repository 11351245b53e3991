-- The person whose messages a chat answers (ADR 124): the call of a chat has no numbers, so an erasure of a number finds its chats here. A row exists as long as
-- the call is not erased. Chats that began before this migration and are older than a day are added when their messages are erased, from the metadata of replies.
create table message_chats (
  call_id text primary key,
  organization_id text not null,
  -- SHA-256 of the organization's id, a space and the phone number.
  person bytea not null
);
create index message_chats_of_person on message_chats (organization_id, person);
insert into message_chats (call_id, organization_id, person)
select distinct on (r.call_id) r.call_id, r.organization_id, sha256(convert_to(r.organization_id || ' ' || m.from_number, 'UTF8'))
from message_replies r join messages m on m.message_id = r.message_id
where r.call_id is not null and m.erased_at is null
order by r.call_id;

-- What an erasure has examined, and the records with the number that were not over then. `calls_position` and `messages_position` remain for the previous
-- release, which continues before the first of these records.
alter table erasures
  add column calls_walked text collate "C" not null default '',
  add column messages_walked text collate "C" not null default '',
  add column calls_left text[] not null default '{}',
  add column messages_left text[] not null default '{}';
