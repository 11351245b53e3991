import type { ApiKeyMinted, ApiKeyRecord } from '@parley/contract';
import type { Key, MintKeyResponse } from '@parley/proto/auth';
import { orNull } from './absent';
import { present } from './present';

/** A key without its secret (section 4); `scopes` shows bundle names as they are stored. */
export const apiKeyRecord = (key: Key): ApiKeyRecord => ({
  key_id: key.keyId,
  organization_id: orNull(key.organizationId),
  name: key.name,
  scopes: key.scopes,
  last_four: key.lastFour,
  created_by: orNull(key.createdBy),
  created_at: key.createdAt,
  expires_at: orNull(key.expiresAt),
  revoked_at: orNull(key.revokedAt),
  last_used_at: orNull(key.lastUsedAt),
});

/** The one answer that carries a token; a replayed one does not. */
export function apiKeyMinted({ key, token }: MintKeyResponse): ApiKeyMinted {
  const record = apiKeyRecord(present(key, 'key'));
  return token === '' ? record : { ...record, token };
}
