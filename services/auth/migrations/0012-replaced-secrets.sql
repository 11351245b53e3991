-- When the secret of a component credential was replaced last; null: it is the first one.
alter table component_credentials add column replaced_at timestamptz(3);
