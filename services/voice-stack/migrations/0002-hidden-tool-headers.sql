-- Header values of tools are secrets: agents compiles with hidden ones from now on, and those of earlier publications are hidden here. Their sha256 stays,
-- because calls and histories name them by it; it is the hash of what was compiled then (ADR 44).
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

update publications set content = hide_tool_headers(content) where content like '%"headers":{"%';
drop function hide_tool_headers;
