-- Public demos of agents (ADR 119): one link each, with its limits and what was used of them.
create table demos (
  organization_id text not null,
  agent_id text not null,
  -- SHA-256 of the token, which is stored nowhere.
  token_hash bytea not null unique,
  kinds text[] not null,
  expires_at timestamptz not null,
  daily_limit integer not null,
  address_limit integer not null,
  spend_cap_micros bigint not null,
  -- The cost of its conversations that are over and were counted.
  spent_micros bigint not null default 0,
  -- Conversations of one day (UTC).
  day date not null default (clock_timestamp() at time zone 'utc')::date,
  conversations integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, agent_id)
);

-- Conversations whose cost was not counted yet, each with the most that it may cost.
create table demo_conversations (
  organization_id text not null,
  call_id text not null,
  agent_id text not null,
  hold_micros bigint not null,
  primary key (organization_id, call_id),
  foreign key (organization_id, agent_id) references demos on delete cascade
);
create index demo_conversations_of_demo on demo_conversations (organization_id, agent_id);

-- Conversations of the day for each address.
create table demo_addresses (
  organization_id text not null,
  agent_id text not null,
  -- HMAC of the address with the token as its key, which the platform does not keep.
  address_hash bytea not null,
  day date not null,
  conversations integer not null,
  primary key (organization_id, agent_id, address_hash),
  foreign key (organization_id, agent_id) references demos on delete cascade
);
