-- The limits of the keys that minted this one, from the first to the nearest, which its requests count against too: [{"key_id", "requests_per_minute"}].
-- Keys that were minted before keep counting for themselves alone: they could otherwise be refused where they were not.
alter table api_keys add column shared_limits jsonb not null default '[]';
