-- no transaction
-- Finds the agents whose reads are of an earlier form.
create index concurrently if not exists agents_by_rendered on agents (rendered);
