-- Blocks of addresses that a key may be used from; empty: everywhere.
alter table api_keys add column allowed_cidrs text[] not null default '{}';
