-- Included by the schema of every service that consumes.
--
-- The highest sequence that a durable consumer has handled, with the id of its message, written before the message is
-- acknowledged. A stream that loses its end gives its sequences out again while the consumer, whose state the server keeps apart, believes
-- that it had them: by this row that is noticed (ADR 0038).
create table stream_memory (
  stream text not null, -- EVENTS or AUDIT
  durable text not null, -- the consumer
  -- The stream's creation time, in the server's own text.
  stream_created text not null,
  stream_seq bigint not null,
  event_id text not null,
  primary key (stream, durable)
) with (fillfactor = 50);

-- Sequences up to which everything was acknowledged, one a minute: the newest that the stream still holds is where a consumer
-- begins again.
create table stream_marks (
  stream text not null, -- EVENTS or AUDIT
  durable text not null, -- the consumer
  stream_created text not null, -- as in stream_memory
  stream_seq bigint not null,
  event_id text not null,
  marked_at timestamptz not null default now(),
  primary key (stream, durable, stream_created, stream_seq)
);

-- What a consumer could not handle.
-- Erasure: webhooks deletes those of an erased call, message or contact, insights those that are seven days old; kept otherwise, until an operator has
-- looked at them and deletes them.
create table dead_letters (
  durable text not null, -- the consumer
  event_id text not null,
  subject text not null, -- the organization is its third part
  payload bytea not null, -- personal (erased with the row): the event
  traceparent text,
  error text not null, -- personal (erased with the row): an error, which may quote the event
  deliveries integer not null,
  stream_seq bigint not null,
  created_at timestamptz not null default now(),
  primary key (durable, event_id)
);
