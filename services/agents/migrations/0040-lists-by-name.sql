-- no transaction
-- Lists of agents by how their names begin. The name stands in what is read of an agent; agents without one are not found by any.
create index concurrently if not exists agents_by_name on agents (organization_id, (lower(view::jsonb ->> 'name') collate "C"));
