import { missingScope } from '@parley/errors';
import type { CreatingRequest } from '@parley/service';
import { newId, type Caller, type ClientOrigin } from '@parley/runtime';
import { appendAudit } from '../audit';
import { insertKey } from './keys.sql';
import { scopeCatalog, gatewayTokenScopes } from './scope-catalog.rules';
import { limitsSharedBy, rootUnder } from './shared-limits.rules';
import { lastFourOf, mintToken } from './token.rules';
import { creatingRecord } from '../creating-record';
import type { Dependencies } from './dependencies';
import { lockIssuerKey, assertOrganizationExists } from './issuer';
import { inTheFuture, type MintedKey } from './mint-key';

export interface MintGatewayToken {
  readonly caller: Caller;
  readonly client?: ClientOrigin | undefined;
  readonly organizationId: string;
  readonly deploymentName: string;
  /** ISO 8601; empty: the expiry of the issuer's key. */
  readonly expiresAt: string;
}

/** Scopes for reading the calls that the gateway routes. The issuer has to hold them, because the token gets them. */
const granted = ['agents:read', 'calls:read'];

/**
 * Mints the token of a media gateway (docs/reference/keys.md#gateway-tokens). Its scopes are fixed; organization, expiry, addresses and rate limit are those of
 * the issuer. The name of its record is the deployment's name.
 * @throws the errors of mintKey; ForbiddenError also if the issuer lacks a scope that the token needs for reading
 */
export async function mintGatewayToken(
  deps: Dependencies,
  request: CreatingRequest,
  check: () => MintGatewayToken,
): Promise<MintedKey> {
  let token = '';
  const created = await creatingRecord(deps.db, request, {
    check,
    work: async (tx, { caller, client, organizationId, deploymentName, expiresAt }) => {
      const issuer = await lockIssuerKey(tx, caller, organizationId);
      const held = scopeCatalog.expand(issuer.scopes);
      const missing = granted.find((scope) => !held.includes(scope));
      if (missing !== undefined) throw missingScope(missing);
      await assertOrganizationExists(tx, issuer, organizationId);
      token = mintToken('tgw_', deps.random);
      const record = inTheFuture(
        await insertKey(tx, organizationId, {
          keyId: newId('key'),
          kind: 'gateway',
          name: deploymentName,
          scopes: gatewayTokenScopes,
          token: deps.peppers.current(token),
          lastFour: lastFourOf(token),
          createdBy: caller.keyId,
          expiresAt,
          maxExpiresAt: issuer.expiresAt,
          allowedCidrs: issuer.allowedCidrs,
          requestsPerMinute: issuer.requestsPerMinute,
          sharedLimits: limitsSharedBy(issuer),
          rootKeyId: rootUnder(issuer, organizationId),
        }),
      );
      const act = {
        organizationId,
        action: 'gateway_token.minted',
        subject: record.keyId,
        detail: { deployment_name: deploymentName, expires_at: record.expiresAt || null },
      };
      await appendAudit(tx, act, { caller, client });
      return record;
    },
    idOf: (record) => record.keyId,
  });
  return { ...created, token: created.replayed ? '' : token };
}
