-- no transaction
-- Lists of agents by status, newest first.
create index concurrently if not exists agents_by_status on agents (organization_id, status, created_at desc, agent_id desc);
