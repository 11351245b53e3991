create table audit_log (
  audit_id text primary key,
  -- Empty for acts on the platform itself.
  organization_id text not null,
  -- Empty when a command acted.
  actor_key_id text not null,
  action text not null,
  -- The id that was acted upon.
  subject text not null,
  detail jsonb not null default '{}',
  created_at timestamptz(3) not null default now()
);
create index audit_log_newest on audit_log (organization_id, created_at desc, audit_id desc);

-- Append-only: whoever the default privileges let write rows may only insert and read these.
do $$
declare
  grantee name;
begin
  for grantee in
    select distinct role.rolname
    from pg_class as relation
    cross join lateral aclexplode(relation.relacl) as privilege
    join pg_roles as role on role.oid = privilege.grantee
    where relation.oid = 'audit_log'::regclass and privilege.grantee <> relation.relowner
  loop
    execute format('revoke update, delete, truncate on audit_log from %I', grantee);
  end loop;
end
$$;

-- The same for the table's owner, who may be the service itself where no separate administrator migrates.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();
