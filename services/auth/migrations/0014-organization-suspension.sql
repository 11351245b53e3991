-- Both null unless the organization is suspended; the reason also where the operator gave none.
alter table organizations add column suspension_reason text, add column suspended_at timestamptz;
update organizations o set suspended_at =
  (select max(a.created_at) from audit_log a where a.organization_id = o.organization_id and a.action = 'organization.suspended')
where o.status = 'suspended';
