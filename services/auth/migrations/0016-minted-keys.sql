-- Revoking a key with what it minted.
create index api_keys_minted on api_keys (created_by, organization_id);
