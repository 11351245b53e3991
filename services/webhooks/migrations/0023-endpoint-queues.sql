-- The queue of an endpoint and its health by their plain names. Replicas of the release before go on with the old ones, which are an
-- updatable view until the next release drops it.
alter table lanes rename to endpoint_queues;
alter table endpoint_queues rename column standing to health;
alter index lanes_pkey rename to endpoint_queues_pkey;
alter index lanes_due rename to endpoint_queues_due;
alter index lanes_leased rename to endpoint_queues_leased;
create view lanes as
  select organization_id, endpoint_id, leased_by, lease_until, health as standing, failures, failing_since, due_at from endpoint_queues;
