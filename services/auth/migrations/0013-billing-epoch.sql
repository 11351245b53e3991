-- The control epoch of an organization's last change of billing, by which telephony asks for the changes that it has not applied; null: it never changed.
alter table organizations add column billing_epoch bigint;
create index organizations_billing_changes on organizations (billing_epoch) where billing_epoch is not null;
