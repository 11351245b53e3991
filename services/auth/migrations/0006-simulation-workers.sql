-- A hosted worker claims the jobs of its own kind: 'hosted' the calls, 'hosted_simulation' the simulations.
alter table api_keys
  drop constraint api_keys_kind_check,
  add constraint api_keys_kind_check check (kind in ('customer', 'operator', 'hosted', 'hosted_simulation', 'gateway')),
  drop constraint api_keys_check1,
  add constraint api_keys_check1 check ((organization_id = '') = (kind in ('operator', 'hosted', 'hosted_simulation')));
