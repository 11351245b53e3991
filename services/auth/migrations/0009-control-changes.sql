-- One row for each change of the control state, by the epoch that it made: what a process asks for five times a second is what came after
-- the epoch that it has. Pruned by age: who asks from before `complete_since` is sent the whole state.
create table control_changes (
  epoch bigint not null,
  kind text not null check (kind in (
    'key_revoked', 'organization_suspended', 'organization_reinstated', 'agent_suspended', 'agent_reinstated'
  )),
  -- The id of the key, organization or agent.
  subject text not null,
  changed_at timestamptz(3) not null default now(),
  -- The poll reads the index alone.
  primary key (epoch) include (kind, subject)
);
create index control_changes_age on control_changes (changed_at);

alter table control_epoch add column complete_since bigint not null default 0;
-- Earlier changes are not in the table.
update control_epoch set complete_since = epoch;

drop index api_keys_revoked;
create index suspended_agents_now on suspended_agents (agent_id) where suspended;
