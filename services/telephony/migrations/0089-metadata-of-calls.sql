-- Calls are found by an entry of their metadata (ADR 117): its texts, numbers and booleans, with names of at most 64 characters and values of
-- at most 256, and of each call the first 64 by name. Written by a trigger, because calls are inserted in several places, and by the previous
-- version while both run.
create table call_metadata (
  organization_id text not null,
  call_id text not null,
  name text not null,
  value text not null,
  primary key (call_id, name)
);
create index call_metadata_search on call_metadata (name, value, organization_id, call_id);

create function search_call_metadata() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'UPDATE' then
    delete from call_metadata where call_id = new.call_id;
  end if;
  insert into call_metadata (organization_id, call_id, name, value)
  select new.organization_id, new.call_id, entry.key, entry.value #>> '{}'
  from jsonb_each(new.metadata::jsonb) as entry
  where jsonb_typeof(entry.value) in ('string', 'number', 'boolean')
    and char_length(entry.key) between 1 and 64 and char_length(entry.value #>> '{}') <= 256
  order by entry.key collate "C" limit 64
  on conflict do nothing;
  return null;
end $$;
create trigger calls_metadata_inserted after insert on calls
  for each row when (new.metadata <> '{}') execute function search_call_metadata();
create trigger calls_metadata_changed after update of metadata on calls
  for each row when (new.metadata is distinct from old.metadata) execute function search_call_metadata();
