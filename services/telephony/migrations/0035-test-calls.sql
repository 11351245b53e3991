-- Calls that a worker takes by the token of whoever connects, in place of a claim (ADR 56).
alter table calls add column channel text not null default 'phone' check (channel in ('phone', 'browser'));

-- adoptable: waits for a connection, in no lane. worker_id is null until then.
alter table jobs
  drop constraint jobs_state_check,
  add constraint jobs_state_check check (state in ('queued', 'adoptable', 'leased', 'done')),
  -- SHA-256 of the token; it stays, so that a second use is told from an unknown token.
  add column adopt_token_hash bytea,
  add column adopt_before timestamptz,
  add constraint jobs_adoptable check (state <> 'adoptable' or (adopt_token_hash is not null and adopt_before is not null));
create unique index jobs_by_adopt_token on jobs (adopt_token_hash) where adopt_token_hash is not null;
create index jobs_adoptable on jobs (adopt_before) where state = 'adoptable';
