-- Top-ups as they were asked for. A pending one is in no balance and in no ledger.
create table wallet_top_ups (
  -- Grows with time.
  top_up_id text primary key,
  organization_id text not null,
  amount_micros bigint not null check (amount_micros > 0),
  note text not null default '',
  status text not null check (status in ('pending', 'confirmed')),
  requested_by text not null,
  created_at timestamptz not null,
  confirmed_by text,
  confirmed_at timestamptz,
  -- Its movement, and the balance after it.
  entry_id text unique,
  balance_micros bigint,
  check ((status = 'confirmed') = (confirmed_at is not null and confirmed_by is not null and entry_id is not null and balance_micros is not null))
);
create index wallet_top_ups_of_organization on wallet_top_ups (organization_id, top_up_id);

-- The control epoch of the change of billing that the row has; 0: the organization always paid so.
alter table organization_controls add column billing_epoch bigint not null default 0;

-- Whether a hold is reserved in the wallet. It is settled as it was taken, however the organization pays by then.
alter table calls add column hold_reserved boolean not null default false;
alter table messages add column hold_reserved boolean not null default false;
update calls c set hold_reserved = true from organization_controls o
where c.hold_micros is not null and o.organization_id = c.organization_id and o.billing = 'prepaid';
update messages m set hold_reserved = true from organization_controls o
where m.hold_micros is not null and o.organization_id = m.organization_id and o.billing = 'prepaid';

-- How far background work over every organization is.
create table background_cursors (
  name text primary key,
  position text not null,
  started_at timestamptz not null default now(),
  done_at timestamptz
);
insert into background_cursors (name, position) values ('billing', '0');
