-- What a creating request was answered, written in the transaction of what it created.
-- Erasure: deleted 24 hours after the record is gone; kept while the record exists, so that a repeated request creates no second one.
create table idempotency (
  organization_id text not null,
  -- The route's operation id, such as create-call.
  route text not null,
  -- The Idempotency-Key header. personal (erased with the row): a text that the organization's program chose
  key text not null,
  -- SHA-256 over the canonical JSON of the request body.
  fingerprint bytea not null,
  -- What was created; the row is kept as long as that record is. Empty: for good.
  record_id text not null default '',
  status integer not null check (status between 200 and 299),
  -- The answer, less every secret that is returned once. personal (erased with the row): the content of the record
  body text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, route, key)
);
create index idempotency_created_at on idempotency (created_at);
