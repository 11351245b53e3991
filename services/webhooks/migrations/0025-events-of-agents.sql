-- The log by agent and by resource. The type stands before the position, as in events_log: a reader sees some types only. Statements that do not ask for
-- an agent or a resource lack the comparison with '', so that no plan made while the tables are empty takes one of these for them.
create index events_of_agent on events (agent_id, organization_id, type, log_seq) where log_seq is not null and agent_id <> '';
create index events_of_resource on events (resource_id, organization_id, type, log_seq) where log_seq is not null and resource_id <> '';
