-- Lists of campaigns by agent, status and project, newest first.
create index campaigns_of_agent on campaigns (agent_id, organization_id, campaign_id);
create index campaigns_by_status on campaigns (status, organization_id, campaign_id);
create index campaigns_of_project on campaigns (project_id, organization_id, campaign_id);
