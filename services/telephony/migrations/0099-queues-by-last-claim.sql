-- Claims read the queues from the time at which the one served longest ago was served, because an old snapshot keeps the entries of all earlier claims. A new
-- queue is therefore served a minute ago instead of never; it still comes first.
alter table organization_queues alter column last_served_at set default clock_timestamp() - interval '1 minute';
update organization_queues set last_served_at = default where last_served_at = '-infinity';
-- Finds the queue of an organization among its last claims. The index has an expression for the same reason as organization_controls_by_era.
create index organization_queues_of_organization on organization_queues ((organization_id || ''), last_served_at);
