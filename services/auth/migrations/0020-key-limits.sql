-- A limit of a key's own, and where it was last used from.
alter table api_keys
  add column requests_per_minute integer check (requests_per_minute > 0),
  add column last_used_address text;
