-- Admission in turns: an organization's hot row holds all that caps are held against, so that one read of it decides a turn.

alter table organization_controls
  -- Raised by every write that takes room (admissions, approvals, new limits). Writes that only make room leave it: what was
  -- decided on an earlier state stands.
  add column revision bigint not null default 0,
  -- As auth says; null until the first admission asked.
  add column billing text check (billing in ('unmetered', 'prepaid')),
  -- Limits; null for none.
  add column live_calls_cap integer check (live_calls_cap >= 0),
  add column calls_per_minute integer check (calls_per_minute >= 0),
  add column calls_per_hour integer check (calls_per_hour >= 0),
  -- Micro-USD that the calls admitted on one day (UTC) may cost together.
  add column daily_spend_cap_micros bigint check (daily_spend_cap_micros >= 0),
  -- Admitted calls that are not over.
  add column live integer not null default 0 check (live >= 0),
  -- Admissions of the last minute by second and of the last hour by minute; domain/velocity.ts.
  add column recent text not null default '',
  -- What the calls admitted on `spend_day` cost, or may cost at most while they are not over.
  add column spend_day date not null default date '2000-01-01',
  add column spend_micros bigint not null default 0 check (spend_micros >= 0),
  -- The wallet of a prepaid organization: the sum of its ledger, and how much of it calls that are not over hold.
  add column balance_micros bigint not null default 0 check (balance_micros >= 0),
  add column reserved_micros bigint not null default 0 check (reserved_micros >= 0),
  -- How many jobs left the queue since `drain_began`, and in the window before that one; what Retry-After is computed from.
  add column drain_began timestamptz not null default now(),
  add column drained integer not null default 0,
  add column drained_before integer not null default 0,
  -- When an operator last changed the limits; counts those changes.
  add column limits_revision integer not null default 0,
  add column limits_updated_at timestamptz not null default now(),
  add constraint wallet_covers check (reserved_micros <= balance_micros);

alter table calls
  -- Micro-USD held for this call; null for a call that nothing is held for (any more, or yet).
  add column hold_micros bigint check (hold_micros >= 0),
  -- The day in whose spend the hold counts.
  add column hold_day date,
  -- JSON: plain reasons beside policy_rules, and what rules in shadow would have done. Null for nothing.
  add column policy_notes text;

-- Every movement of a wallet. Holds are not movements: they stand on their calls.
create table wallet_ledger (
  -- Grows with time.
  entry_id text primary key,
  organization_id text not null,
  kind text not null check (kind in ('top_up', 'charge')),
  -- Signed micro-USD.
  amount_micros bigint not null check (amount_micros <> 0 and (kind = 'top_up') = (amount_micros > 0)),
  -- The balance after it.
  balance_micros bigint not null check (balance_micros >= 0),
  call_id text,
  -- The key that topped up; empty for charges.
  actor_key_id text not null default '',
  note text not null default '',
  created_at timestamptz not null default clock_timestamp()
);
create index wallet_ledger_of_organization on wallet_ledger (organization_id, entry_id);
create unique index wallet_ledger_charge on wallet_ledger (call_id) where kind = 'charge';

-- Numbers that an organization must not call.
create table suppressions (
  organization_id text not null,
  -- E.164.
  phone_number text not null,
  reason text not null default '',
  created_at timestamptz not null default now(),
  primary key (organization_id, phone_number)
);

-- JSON of the class OutboundPolicy; an organization without a row has no rules of its own.
create table organization_policies (
  organization_id text primary key,
  body text not null,
  revision integer not null default 1,
  updated_at timestamptz not null default now()
);

-- Append-only: whoever the default privileges let write rows may only insert and read these.
do $$
declare
  grantee name;
begin
  for grantee in
    select distinct role.rolname
    from pg_class as relation
    cross join lateral aclexplode(relation.relacl) as privilege
    join pg_roles as role on role.oid = privilege.grantee
    where relation.oid = 'wallet_ledger'::regclass and privilege.grantee <> relation.relowner
  loop
    execute format('revoke update, delete, truncate on wallet_ledger from %I', grantee);
  end loop;
end
$$;

-- The same for the table's owner, who may be the service itself where no separate administrator migrates.
create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'wallet_ledger is append-only' using errcode = 'insufficient_privilege';
end
$$;
create trigger wallet_ledger_append_only before update or delete or truncate on wallet_ledger
  for each statement execute function refuse_ledger_change();
