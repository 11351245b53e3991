-- Several organizations may claim a number until one of them proves that it holds it (ADR 48). Who dials and answers it: the installation's
-- workers, or the organization's own.
alter table numbers
  add column verified_at timestamptz,
  add column dialer text not null default 'hosted' check (dialer in ('hosted', 'own'));
create unique index numbers_claimed on numbers (phone_number, organization_id) where released_at is null;
create unique index numbers_verified on numbers (phone_number) where released_at is null and verified_at is not null;
drop index numbers_live;
