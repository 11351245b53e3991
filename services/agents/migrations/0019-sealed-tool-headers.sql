-- Header values of tools are sealed in the document: `sealed_headers` stands in the place of `headers` (ADR 44). A background job seals those of agents that
-- this index finds: what was written before, and by the version before while both run.
create index agents_clear_headers on agents (agent_id) where document like '%"headers":{"%';

-- Hides the header values of webhook tools in a JSON text that has `tools`; everything else stays as it was written.
create function hide_tool_headers(content text) returns text language sql immutable as $$
  select '{' || string_agg(to_json(part.key)::text || ':' || case
      when part.key <> 'tools' or json_typeof(part.value) <> 'array' then part.value::text
      else (select coalesce('[' || string_agg(case
          when json_typeof(tool.value) = 'object' and json_typeof(tool.value -> 'headers') = 'object' then (
            select '{' || string_agg(to_json(field.key)::text || ':' || case
                when field.key <> 'headers' then field.value::text
                else (select '{' || coalesce(string_agg(to_json(header.key)::text || ':"***"', ',' order by header.n), '') || '}'
                  from json_each(field.value) with ordinality as header (key, value, n)) end, ',' order by field.n) || '}'
            from json_each(tool.value) with ordinality as field (key, value, n))
          else tool.value::text end, ',' order by tool.n) || ']', '[]')
        from json_array_elements(part.value) with ordinality as tool (value, n)) end, ',' order by part.n) || '}'
  from json_each(content::json) with ordinality as part (key, value, n)
$$;

-- Remembered answers of creations.
update idempotency set body = hide_tool_headers(body) where body like '{%"headers":{"%' and body like '%"tools":[%';
drop function hide_tool_headers;
