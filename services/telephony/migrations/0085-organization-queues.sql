-- The queue of an organization by its plain name. Replicas of the release before go on with the old one, which is an updatable view
-- until the next release drops it.
alter table lanes rename to organization_queues;
alter index lanes_pkey rename to organization_queues_pkey;
alter index lanes_by_turn rename to organization_queues_by_service;
create view lanes as select organization_id, last_served_at from organization_queues;
