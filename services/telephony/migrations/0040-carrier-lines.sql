-- Lines that the platform places and takes itself, through the organization's account at a carrier; a worker adopts their calls (ADR 30).
create table carrier_lines (
  call_id text primary key,
  organization_id text not null,
  job_id text not null unique,
  provider text not null,
  account_sid text not null,
  -- The carrier's own id; null: not known yet.
  carrier_call_id text,
  -- dialling: the request to the carrier may be on its way.
  state text not null check (state in ('dialling', 'ringing', 'answered', 'closed')),
  -- A slot of the workers is kept for it while its job is adoptable.
  reserved boolean not null,
  opened_at timestamptz not null default clock_timestamp(),
  -- When it stops ringing at the latest.
  ring_until timestamptz not null,
  answered_at timestamptz,
  -- When the carrier is asked for what it has not reported.
  check_at timestamptz not null
) with (fillfactor = 70);
create unique index carrier_lines_of_carrier on carrier_lines (carrier_call_id, organization_id, provider, account_sid);
create index carrier_lines_open on carrier_lines (check_at) where state <> 'closed';
create index carrier_lines_by_age on carrier_lines (opened_at);

-- Hosted workers that adopt calls of lines, and how many each conducts at most.
create table adopting_workers (
  worker_id text primary key,
  slots integer not null check (slots >= 0),
  heard_at timestamptz not null
) with (fillfactor = 50);

-- platform: no worker claims it; telephony places the call, and a hosted worker adopts it.
alter table jobs drop constraint jobs_dialer_check,
  add constraint jobs_dialer_check check (dialer in ('hosted', 'own', 'platform'));
