-- Why and since when an agent is suspended, as JSON text; null while it is not, and where the version before suspended it.
alter table agents add column suspension text;

-- Which form the texts of the reads were rendered in: the background job renders those of an earlier form anew.
alter table agents add column rendered integer not null default 0;

-- Set while no version of the workflow is published, although there are versions.
alter table agent_workflows add column unpublished_at timestamptz;

-- Publications and versions of a workflow are immutable for the service; they end with their agent alone.
create function delete_agent(organization text, agent text, at_revision integer)
returns boolean language plpgsql security definer set search_path from current as $$
begin
  perform from agents where organization_id = organization and agent_id = agent and revision = at_revision for update;
  if not found then return false; end if;
  delete from agent_workflow_versions where organization_id = organization and agent_id = agent;
  delete from agent_workflows where organization_id = organization and agent_id = agent;
  delete from agent_publications where organization_id = organization and agent_id = agent;
  delete from agents where organization_id = organization and agent_id = agent;
  return true;
end $$;
