-- Sessions are keys of at most twelve hours that belong to a subject: a key for now.
alter table api_keys add column session_of text;
create index api_keys_sessions on api_keys (organization_id, session_of) where session_of is not null and revoked_at is null;
