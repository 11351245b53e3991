-- Erasure looks for deliveries at every endpoint of an organization; those that are not deleted have an index of their own.
create index endpoints_deleted on endpoints (organization_id) where deleted_at is not null;
