-- consumed: for a handler whose own tables have no natural key to be idempotent by (see onceOnly).
create table consumed (
  durable text not null,
  event_id text not null,
  consumed_at timestamptz not null default now(),
  primary key (durable, event_id)
);
create index consumed_age on consumed using brin (consumed_at);

-- poison: what a consumer could not handle; kept until somebody looks at it.
create table poison (
  durable text not null,
  event_id text not null,
  subject text not null,
  payload bytea not null,
  traceparent text,
  error text not null,
  deliveries integer not null,
  stream_seq bigint not null,
  created_at timestamptz not null default now(),
  primary key (durable, event_id)
);
