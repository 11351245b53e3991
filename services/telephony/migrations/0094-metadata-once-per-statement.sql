-- The metadata of added calls is written once per statement instead of once per call, because an admission adds many calls with one statement.
create function search_added_metadata() returns trigger language plpgsql set search_path from current as $$
begin
  insert into call_metadata (organization_id, call_id, name, value)
  select added.organization_id, added.call_id, found.key, found.text
  from added cross join lateral (
    select entry.key, entry.value #>> '{}' as text
    from jsonb_each(added.metadata::jsonb) as entry
    where jsonb_typeof(entry.value) in ('string', 'number', 'boolean')
      and char_length(entry.key) between 1 and 64 and char_length(entry.value #>> '{}') <= 256
    order by entry.key collate "C" limit 64
  ) as found
  where added.metadata <> '{}'
  on conflict do nothing;
  return null;
end $$;
drop trigger calls_metadata_inserted on calls;
create trigger calls_metadata_added after insert on calls
  referencing new table as added for each statement execute function search_added_metadata();
