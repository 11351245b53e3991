import type { GatewayTokenMinted, GatewayTokenRecord } from '@parley/contract';
import type { GatewayToken, MintGatewayTokenResponse } from '@parley/proto/auth';
import { orNull } from './absent';
import { present } from './present';

/** A gateway token without its secret. */
export const gatewayTokenRecord = (token: GatewayToken): GatewayTokenRecord => ({
  gateway_token_id: token.gatewayTokenId,
  organization_id: token.organizationId,
  deployment_name: token.deploymentName,
  last_four: token.lastFour,
  created_by: orNull(token.createdBy),
  created_at: token.createdAt,
  expires_at: orNull(token.expiresAt),
  revoked_at: orNull(token.revokedAt),
  last_used_at: orNull(token.lastUsedAt),
});

/** The one answer that carries the token; a replayed one does not. */
export function gatewayTokenMinted({ gatewayToken, token }: MintGatewayTokenResponse): GatewayTokenMinted {
  const record = gatewayTokenRecord(present(gatewayToken, 'gateway token'));
  return token === '' ? record : { ...record, token };
}
