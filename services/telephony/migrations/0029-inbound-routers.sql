-- Who routed an incoming call: deployment:<name> for a gateway token, hosted, or carrier:<provider> for a carrier's webhook. Calls routed before this column
-- have the id of the gateway's key.
alter table inbound_calls
  add column router text not null default '',
  -- The gateway that took the line of a call that a carrier's webhook routed; null: none yet.
  add column taken_by text;
update inbound_calls i set router = j.worker_id
from jobs j where j.call_id = i.call_id and j.organization_id = i.organization_id and j.worker_id is not null;

-- Two deployments may give their calls the same name.
alter table inbound_calls drop constraint inbound_calls_pkey, add primary key (organization_id, gateway_call_id, router);

-- The gateway that took the line of an outbound call; null: none did.
alter table jobs add column line_taken_by text;
