-- When wrong PINs of workflow drafts were given at a number within the last hour: five at most.
create table phone_pin_attempts (
  organization_id text not null,
  phone_number text not null,
  attempts timestamptz[] not null,
  primary key (organization_id, phone_number)
);
