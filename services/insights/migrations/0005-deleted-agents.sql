-- When agents said last that the agent is there.
alter table extraction_configurations add column checked_at timestamptz not null default now();
create index extraction_configurations_checked on extraction_configurations (checked_at);
alter table simulation_suites add column checked_at timestamptz not null default now();
create index simulation_suites_checked on simulation_suites (checked_at);
create index simulation_suites_of_agent on simulation_suites (organization_id, agent_id);
