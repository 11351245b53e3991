-- Which knowledge bases an agent answers from, in the order that they were named; no row: none was ever named. Whether a base still exists is for knowledge
-- to say.
create table agent_knowledge_bases (
  organization_id text not null,
  agent_id text collate "C" primary key references agents (agent_id) on delete cascade,
  knowledge_base_ids text[] not null
);
