-- Who placed a call: the id of the key or of the campaign; empty for calls that came in, trial calls and calls placed before this column.
alter table calls add column placed_by text not null default '';

-- The keys that launched or resumed a campaign: none of them approves its calls.
create table campaign_starts (
  organization_id text not null,
  campaign_id text not null,
  key_id text not null,
  started_at timestamptz not null default now(),
  primary key (organization_id, campaign_id, key_id)
);
