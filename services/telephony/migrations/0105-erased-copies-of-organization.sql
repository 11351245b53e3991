-- no transaction
-- By an expression, so that the copies that are due are still found by erased_copies_due.
create index concurrently if not exists erased_copies_of_organization on erased_copies ((organization_id || ''), erased_at);
