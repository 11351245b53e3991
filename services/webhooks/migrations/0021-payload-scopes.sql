-- Which of calls:read and campaigns:read the key held that created or last updated the endpoint: without one, payloads of its types leave out
-- variables, metadata and numbers (ADR 44). What is there keeps getting whole payloads until its next update; so does what the version before creates.
alter table endpoints add column payload_scopes text[] not null default '{calls:read,campaigns:read}';
