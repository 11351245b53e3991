-- Included by the schema of every service that publishes, after rings.sql.
--
-- Events written in the transaction of what they report, published to JetStream by the relay.
-- Erasure: dropped with the daily partition after 8 days, once everything in it was published. Found for a person by ordering_key.
-- A writer gives id, stream, subject, payload, traceparent and the ordering; everything else is the relay's.
-- Inside a CTE (one statement for the whole admission of a call, say):
--   with made as (insert into calls ... returning ...)
--   insert into outbox (id, stream, subject, payload, traceparent, ordering_key, ordering_seq)
--   select $1, 'EVENTS', $2, $3, $4, $5, $6 from made;
create table outbox (
  -- Order of appending, and so of publishing.
  position bigint generated always as identity,
  -- The event's id, also its message id in the stream: evt_... or aud_...
  id text not null,
  stream text not null check (stream in ('EVENTS', 'AUDIT')),
  -- events.<...>.<organization id>.<...>: the organization is the third part.
  subject text not null,
  -- The exact text that is published and that webhooks deliver; JSON. personal (erased with the row): the event, with the resource that it is about
  payload text not null check (octet_length(payload) <= 524288),
  -- W3C trace context of the request that caused the event.
  traceparent text,
  -- Events of one ordering key are published in the order of position, one after the other: whoever appends must hold the
  -- resource's row lock (as any writer of resource_seq does), so that a lower seq never comes after a higher one.
  -- The payload's resource_id (the event's own id where it has none) and resource_seq, given by the writer, who knows them:
  -- deriving them here would parse the whole payload twice.
  ordering_key text not null,
  ordering_seq bigint not null,
  created_at timestamptz not null default now(),
  -- Null until it was published for the first time. The relay sets it from the PubAck.
  published_at timestamptz,
  -- The stream's creation time as it was before publishing (the server's own text), and the sequence it was stored at. Another
  -- creation time than the stream has now, or '': the stream has lost the event, and it is published again.
  stream_created text,
  stream_seq bigint
) partition by range (created_at);
create unique index outbox_ids on outbox (id, created_at);
create index outbox_waiting on outbox (position) where published_at is null;
create index outbox_published on outbox (stream, stream_created, stream_seq) where published_at is not null;
-- What comes before the partition of its day is there; the ring's keeper empties it.
create table outbox_stray partition of outbox default;
create index outbox_stray_age on outbox_stray (created_at);
