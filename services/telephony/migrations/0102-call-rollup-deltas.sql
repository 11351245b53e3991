-- What the ends of calls add to call_rollups. They are inserted instead of updating the row of their hour, because calls that end together would wait for each
-- other, and because each update checks the primary key, which visits all versions of the row that vacuum has not removed. A background task adds them to
-- call_rollups every few seconds and deletes them; reads sum both tables.
create table call_rollup_deltas (
  delta_id bigint generated always as identity primary key,
  organization_id text not null,
  -- When the row was inserted. Rows are read from a floor on, as the row of a deleted delta can remain for hours.
  added_at timestamptz not null default clock_timestamp(),
  hour timestamptz not null,
  project_id text not null,
  agent_id text not null,
  direction text not null,
  channel text not null,
  carrier text not null,
  status text not null,
  ended_reason text not null,
  calls bigint not null,
  answered bigint not null,
  duration_seconds bigint not null,
  cost_micros bigint not null,
  turn_latencies bigint[] not null
);
create index call_rollup_deltas_of_organization on call_rollup_deltas (organization_id, added_at);
create index call_rollup_deltas_oldest on call_rollup_deltas (added_at);

-- The rows of an hour are no longer updated by every call, so they need not be found by their last update.
alter table call_rollups drop column era;
