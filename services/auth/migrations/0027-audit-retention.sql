-- The audit log expires by age. Nothing can change an entry, and nothing can delete one in its first year: expire_audit is the only way to delete entries, and
-- refuses to delete newer ones.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('parley.audit_expires', true) = 'on' then
    return null;
  end if;
  raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
end
$$;

-- Deletes at most `most` entries that are older than `days`, and returns how many. It runs as the owner, because the service may not delete entries.
create function expire_audit(days integer, most integer) returns integer
language plpgsql security definer set search_path from current set parley.audit_expires = 'on' as $$
declare
  deleted integer;
begin
  if days < 365 then
    raise exception 'entries of the audit log are kept for at least 365 days' using errcode = 'insufficient_privilege';
  end if;
  delete from audit_log where audit_id in (
    select audit_id from audit_log where created_at < now() - make_interval(days => days) order by created_at limit most);
  get diagnostics deleted = row_count;
  return deleted;
end
$$;
