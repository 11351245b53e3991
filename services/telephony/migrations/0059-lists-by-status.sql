-- Lists of calls by status, reason, direction and campaign, newest or oldest first. The status of a call that goes on changes with every step: an
-- index of it would be written at each. The generated column changes once, when the call is over, so that the steps before stay updates within
-- their page (ADR 99). Calls that go on have null there and are few.
alter table calls add column final_status text
  generated always as (case when status in ('completed', 'failed', 'canceled', 'policy_blocked') then status end) stored;
create index calls_by_status on calls (final_status, organization_id, call_id);
create index calls_by_ended_reason on calls (ended_reason, organization_id, call_id);
create index calls_by_direction on calls (direction, organization_id, call_id);
create index campaign_attempts_calls on campaign_attempts (campaign_id, organization_id, call_id) where call_id is not null;
