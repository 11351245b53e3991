-- The calls from before the triggers of 0089, in a transaction of its own: it locks no table.
insert into call_metadata (organization_id, call_id, name, value)
select c.organization_id, c.call_id, found.key, found.text
from calls c cross join lateral (
  select entry.key, entry.value #>> '{}' as text
  from jsonb_each(c.metadata::jsonb) as entry
  where jsonb_typeof(entry.value) in ('string', 'number', 'boolean')
    and char_length(entry.key) between 1 and 64 and char_length(entry.value #>> '{}') <= 256
  order by entry.key collate "C" limit 64
) as found
where c.metadata <> '{}'
on conflict do nothing;
