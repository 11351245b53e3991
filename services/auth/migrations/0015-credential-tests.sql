-- Where a provider's credential is used, and whether the provider took the secret as it is now.
alter table component_credentials
  -- Null: the provider's public address.
  add column base_url text,
  -- All three null: never tested since the secret was set.
  add column tested_at timestamptz(3),
  add column test_ok boolean,
  add column test_detail text;
