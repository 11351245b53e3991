-- Sums of calls that are over, by the hour (UTC) in which they ended, written in the transaction that ends a call. No row is of a person, and
-- none is taken away when a call is erased. carrier and ended_reason are empty where a call has none. turn_latencies is a histogram: how
-- many turns fell into each bucket.
create table call_rollups (
  organization_id text not null,
  hour timestamptz not null,
  project_id text not null,
  agent_id text not null,
  direction text not null,
  channel text not null,
  carrier text not null,
  status text not null,
  ended_reason text not null,
  calls bigint not null check (calls >= 0),
  answered bigint not null check (answered >= 0),
  duration_seconds bigint not null check (duration_seconds >= 0),
  cost_micros bigint not null check (cost_micros >= 0),
  turn_latencies bigint[] not null,
  primary key (organization_id, hour, project_id, agent_id, direction, channel, carrier, status, ended_reason)
);

-- The calls that were over before; of their turns no latency is counted.
insert into call_rollups
select organization_id, date_trunc('hour', coalesce(completed_at, failed_at, canceled_at, updated_at), 'UTC'), project_id, agent_id,
  direction, channel, coalesce(carrier, ''), status, coalesce(ended_reason, ''), count(*), count(answered_at),
  coalesce(sum(duration_seconds), 0), coalesce(sum(cost_micros), 0), '{}'
from calls where status in ('completed', 'failed', 'canceled') and not synthetic and organization_id <> ''
group by 1, 2, 3, 4, 5, 6, 7, 8, 9;
