-- Where the request of an act came from; empty for acts from before this migration and for acts without a client.
alter table audit_log
  add column client_address text not null default '' check (length(client_address) <= 256),
  add column user_agent text not null default '' check (length(user_agent) <= 256);
