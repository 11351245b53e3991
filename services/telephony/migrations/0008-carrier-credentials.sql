-- Accounts at carriers. A carrier's webhook is believed by its signature under the account's token, sealed by the vault.
create table carrier_credentials (
  carrier_credential_id text primary key,
  organization_id text not null,
  provider text not null check (provider in ('twilio')),
  account_sid text not null,
  auth_token bytea not null,
  -- For finding what a rotation of the vault's keys has still to do.
  vault_key_id text not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (organization_id, provider, account_sid)
);
-- A webhook names its account alone. Two organizations may name one account: whose token signed it is meant.
create index carrier_credentials_of_account on carrier_credentials (provider, account_sid);
