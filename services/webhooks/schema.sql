-- The schema of webhooks: endpoints, the event log, deliveries and their attempts.

-- ENDPOINTS

-- Agent endpoints: where events are delivered.
-- Erasure: deleted 35 days after the endpoint was deleted.
create table endpoints (
  organization_id text not null,
  id text primary key,
  project_id text not null,
  name text not null default '', -- personal (erased with the row): a name that the customer chose
  webhook_url text not null, -- personal (erased with the row): an address of the customer's server, which may name a user
  audio_stream_url text not null, -- personal (erased with the row): an address of the customer's server, which may name a user
  events text[] not null check (cardinality(events) > 0), -- Types of events that it subscribes to.
  -- parked: failing for five days, or 410 Gone; its deliveries wait to be recovered.
  status text not null default 'active' check (status in ('active', 'parked')),
  -- Counts the changes of either address.
  dest_version integer not null default 1,
  -- The current series of deliveries: an event is delivered once a series. A recovery begins the next one.
  generation integer not null default 0,
  -- Counts every change; the entity tag.
  revision bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Kept while its deliveries can be read; to everybody else it is gone.
  deleted_at timestamptz,
  -- Attempts of at most so many in a second; null: no limit.
  max_per_second integer check (max_per_second > 0),
  -- Which of calls:read and campaigns:read the key held that created or last updated the endpoint: without one, payloads of its types leave out
  -- variables, metadata and numbers (ADR 44).
  payload_scopes text[] not null default '{calls:read,campaigns:read}'
);
create index endpoints_listing on endpoints (organization_id, id desc) where deleted_at is null;
create index endpoints_of_project on endpoints (organization_id, project_id) where deleted_at is null;
-- Erasure looks for deliveries at every endpoint of an organization; those that are not deleted have an index of their own.
create index endpoints_deleted on endpoints (organization_id) where deleted_at is not null;

-- The secrets that sign what is sent to endpoints.
create table endpoint_secrets (
  organization_id text not null,
  endpoint_id text not null references endpoints(id),
  id bigint generated always as identity,
  -- Sealed by the vault for (organization, 'webhook-signing', endpoint).
  sealed bytea not null,
  created_at timestamptz not null default now(),
  -- Null: the newest one. A rotated secret signs beside it until then.
  expires_at timestamptz,
  primary key (endpoint_id, id)
);

-- The queue of an endpoint: worked by one replica at a time, under a lease by the clock of the database.
create table endpoint_queues (
  organization_id text not null,
  endpoint_id text primary key,
  leased_by text, -- The replica that works it.
  lease_until timestamptz,
  -- unproven until the first success; failing after three failures in a row.
  health text not null default 'unproven' check (health in ('unproven', 'healthy', 'failing')),
  failures integer not null default 0,
  failing_since timestamptz,
  -- No delivery of the endpoint is due before this; null: none waits. Lowered under the row's lock by whoever makes deliveries, raised under it by
  -- whoever releases the queue.
  due_at timestamptz
) with (fillfactor = 70);
create index endpoint_queues_due on endpoint_queues (health, due_at) where due_at is not null;

-- EVENT LOG

-- Every event that arrived, with the exact bytes that are signed and sent.
-- Erasure: dropped with its daily partition after 35 days. Found for a person by resource_id.
create table events (
  organization_id text not null,
  id text primary key,
  project_id text,
  agent_id text,
  type text not null,
  resource_id text not null,
  resource_seq bigint not null,
  payload text not null, -- personal (erased with the row): the event, with the call, message or campaign that it is about
  traceparent text,
  created_at timestamptz not null,
  received_at timestamptz not null default now(),
  -- Null: not in the log. Test events are not.
  log_seq bigint,
  is_test boolean not null default false
) partition by range (id);
create index events_of_organization on events (organization_id, id);
create index events_log on events (organization_id, type, log_seq) where log_seq is not null;
-- The log by agent and by resource. The type stands before the position, as in events_log: a reader sees some types only. Statements that do not ask
-- for an agent or a resource lack the comparison with '', so that no plan made while the tables are empty takes one of these for them.
create index events_of_agent on events (agent_id, organization_id, type, log_seq) where log_seq is not null and agent_id <> '';
create index events_of_resource on events (resource_id, organization_id, type, log_seq) where log_seq is not null and resource_id <> '';
create table events_stray partition of events default;

-- The last number that was given out. Its row is locked until the commit of the events that were numbered, so a lower number is never committed after
-- a higher one.
create table event_heads (
  organization_id text primary key,
  last_seq bigint not null
) with (fillfactor = 50);

-- DELIVERIES

-- One event for one endpoint in one series. The retry timer is the row's own next_attempt_at, by the database's clock.
create table deliveries (
  organization_id text not null,
  id text not null,
  endpoint_id text not null,
  event_id text not null,
  event_type text not null,
  generation integer not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'parked', 'canceled')),
  attempt_count integer not null default 0,
  next_attempt_at timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Attempts of earlier series: a delivery that is retried by hand or recovered begins its schedule anew.
  earlier_attempts integer not null default 0,
  unique (endpoint_id, event_id, generation),
  check ((status = 'pending') = (next_attempt_at is not null))
) partition by range (event_id);
create index deliveries_by_id on deliveries (id);
create index deliveries_due on deliveries (endpoint_id, next_attempt_at) where status = 'pending';
create index deliveries_listing on deliveries (organization_id, endpoint_id, id desc);
create index deliveries_search on deliveries (organization_id, endpoint_id, status, event_type, id desc);
create table deliveries_stray partition of deliveries default with (fillfactor = 80);
create index deliveries_stray_age on deliveries_stray (event_id);

-- What became of each attempt, in daily partitions.
-- Erasure: dropped with its daily partition after 30 days. Found for a person by deliveries, by delivery_id, and their events.
create table attempts (
  organization_id text not null,
  delivery_id text not null,
  number integer not null,
  started_at timestamptz not null,
  -- HTTP status; null when no answer came.
  status integer,
  latency_ms integer not null,
  -- Null: it succeeded. personal (erased with the row): why an attempt failed
  error text,
  -- personal (erased with the row): the beginning of what the customer's server answered, which may quote the event
  response_body text not null default '',
  -- What searches of an endpoint's attempts go by.
  endpoint_id text,
  event_type text,
  primary key (delivery_id, number, started_at)
) partition by range (started_at);
create index attempts_search on attempts (organization_id, endpoint_id, started_at desc, delivery_id desc, number desc);
create table attempts_other partition of attempts default;

-- A recovery walks over an endpoint's deliveries in the order of their ids, some thousands a transaction.
create table recoveries (
  organization_id text not null,
  id text primary key,
  endpoint_id text not null,
  since timestamptz not null,
  -- The series that recovered deliveries join.
  generation integer not null,
  -- The last delivery that was looked at, and the last to look at.
  position text not null,
  last_position text not null, -- The last delivery to examine.
  -- Whether failed deliveries are recovered too; parked ones always are.
  with_failed boolean not null,
  status text not null default 'running' check (status in ('running', 'completed', 'stopped')),
  examined bigint not null default 0,
  recovered bigint not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index recoveries_running on recoveries (id) where status = 'running';
create index recoveries_listing on recoveries (organization_id, endpoint_id, id desc);

-- COMMON TABLES AND FUNCTIONS

\ir ../../libs/service/sql/idempotency.sql
\ir ../../libs/outbox/sql/rings.sql
\ir ../../libs/outbox/sql/outbox.sql
\ir ../../libs/outbox/sql/consumer.sql
\ir ../../libs/service/sql/oldest-snapshot.sql
