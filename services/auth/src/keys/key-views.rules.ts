import type { ApiKeyMinted, ApiKeyRecord, GatewayTokenMinted, GatewayTokenRecord } from '@parley/contract';
import { orNull } from '../rows.rules';
import type { KeyRecord } from './key.rules';

/** An API key without its token (docs/reference/requests.md). `scopes` contains bundle names as stored. */
export const apiKeyView = (key: KeyRecord): ApiKeyRecord => ({
  key_id: key.keyId,
  organization_id: orNull(key.organizationId),
  name: key.name,
  scopes: key.scopes,
  kind: key.sessionOf === '' ? 'key' : 'session',
  subject: orNull(key.sessionOf),
  ...stateOf(key),
  allowed_cidrs: key.allowedCidrs.length === 0 ? null : key.allowedCidrs,
  requests_per_minute: key.requestsPerMinute || null,
  last_used_address: orNull(key.lastUsedAddress),
});

/** The only response that contains the token; a replayed one does not. */
export const mintedApiKeyView = (key: KeyRecord, token: string): ApiKeyMinted => ({
  ...apiKeyView(key),
  ...(token === '' ? {} : { token }),
});

/** A gateway token's record without the token itself. */
export const gatewayTokenView = (key: KeyRecord): GatewayTokenRecord => ({
  gateway_token_id: key.keyId,
  organization_id: key.organizationId,
  deployment_name: key.name,
  ...stateOf(key),
});

/** The only response that contains the token; a replayed one does not. */
export const mintedGatewayTokenView = (key: KeyRecord, token: string): GatewayTokenMinted => ({
  ...gatewayTokenView(key),
  ...(token === '' ? {} : { token }),
});

const stateOf = (key: KeyRecord) => ({
  last_four: key.lastFour,
  created_by: orNull(key.createdBy),
  created_at: key.createdAt,
  expires_at: orNull(key.expiresAt),
  revoked_at: orNull(key.revokedAt),
  last_used_at: orNull(key.lastUsedAt),
});
