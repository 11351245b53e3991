-- When the job was leased, for every statement that leases one, including those of replicas of the release before. Heartbeats do not change it.
alter table jobs add column leased_at timestamptz;
create function note_lease() returns trigger language plpgsql set search_path from current as $$
begin
  new.leased_at := clock_timestamp();
  return new;
end $$;
create trigger jobs_lease_added before insert on jobs
  for each row when (new.state = 'leased') execute function note_lease();
create trigger jobs_lease_taken before update on jobs
  for each row when (new.state = 'leased' and old.state <> 'leased') execute function note_lease();
update jobs set leased_at = now() where state = 'leased';
