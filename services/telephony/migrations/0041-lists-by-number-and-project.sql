-- Lists of calls and messages by project and by number, newest first; ids grow with time. The organization stands second, so that a plan made
-- while the tables are empty does not take one of these for a search by organization and id.
create index calls_of_project on calls (project_id, organization_id, call_id);
create index calls_from on calls (from_number, organization_id, call_id);
create index calls_to on calls (to_number, organization_id, call_id);
create index messages_of_project on messages (project_id, organization_id, message_id);
create index messages_from on messages (from_number, organization_id, message_id);
create index messages_to on messages (to_number, organization_id, message_id);
