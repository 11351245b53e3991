-- Transfers of calls over lines of carriers: the leg to the other party, and what became of it (ADR 90).
create table call_transfers (
  transfer_id text primary key,
  organization_id text not null,
  call_id text not null,
  -- The tool call that asked for it; the transfer itself where an operator did. Once for each.
  key text not null,
  to_address text not null,
  kind text not null check (kind in ('cold', 'warm')),
  announcement text,
  provider text not null,
  account_sid text not null,
  -- The carrier's id of the leg; null: not known.
  carrier_call_id text,
  outcome text not null default 'ringing'
    check (outcome in ('ringing', 'connected', 'busy', 'no_answer', 'declined', 'failed', 'canceled')),
  begun_at timestamptz not null default clock_timestamp(),
  outcome_at timestamptz not null default clock_timestamp(),
  -- When the line of the call was sent to the other party; it is sent once.
  joined_at timestamptz,
  -- When the other party's leg was over.
  left_at timestamptz,
  unique (call_id, key)
);
-- At a time a call is transferred once.
create unique index call_transfers_under_way on call_transfers (call_id) where outcome in ('ringing', 'connected');
create index call_transfers_due on call_transfers (begun_at)
  where outcome = 'ringing' or (outcome = 'connected' and joined_at is null and left_at is null);

-- What the record shows of them: JSON.
alter table calls add column transfers text not null default '[]';
