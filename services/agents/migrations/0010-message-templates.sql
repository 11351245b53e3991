-- Templates of messages: the whole read as one text, written at every change.
create table message_templates (
  organization_id text not null,
  template_id text collate "C" primary key,
  -- Counts every change from 1; the ETag.
  revision integer not null,
  view text not null,
  created_at timestamptz not null
);
create index message_templates_of_organization on message_templates (organization_id, created_at desc, template_id desc);
