-- One relay publishes at a time (ADR 0022) and reads by position alone. The version before still finds its events, by
-- outbox_waiting.
drop index outbox_waiting_of_resource;
