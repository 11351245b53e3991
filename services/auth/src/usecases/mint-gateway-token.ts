import type { CreatingRequest } from '@parley/service';
import { newId, type Caller } from '@parley/runtime';
import { appendAudit } from '../db/audit';
import { insertKey } from '../db/keys';
import { gatewayTokenScopes } from '../domain/fixed-scopes';
import { lastFourOf, mintToken } from '../domain/token';
import { creatingRecord } from './creating-record';
import type { Dependencies } from './dependencies';
import { holdMinter, namedOrganization } from './minter';
import { inTheFuture, type MintedKey } from './mint-key';

export interface MintGatewayToken {
  readonly caller: Caller;
  readonly organizationId: string;
  readonly deploymentName: string;
  /** ISO 8601; empty: as long as the minter's key. */
  readonly expiresAt: string;
}

/**
 * Makes the token of a media gateway (section 5 rule 9): what it may is fixed, so nothing of its minter is passed on but the
 * organization and the end. Its record's name is the deployment's. Errors as those of minting a key.
 */
export async function mintGatewayToken(
  deps: Dependencies,
  request: CreatingRequest,
  check: () => MintGatewayToken,
): Promise<MintedKey> {
  let token = '';
  const created = await creatingRecord(deps.db, request, {
    check,
    work: async (tx, { caller, organizationId, deploymentName, expiresAt }) => {
      const minter = await holdMinter(tx, caller, organizationId);
      await namedOrganization(tx, minter, organizationId);
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
          notBeyond: minter.expiresAt,
        }),
      );
      await appendAudit(tx, {
        auditId: newId('aud'),
        organizationId,
        actorKeyId: caller.keyId,
        action: 'gateway_token.minted',
        subject: record.keyId,
        detail: { deployment_name: deploymentName, expires_at: record.expiresAt || null },
      });
      return record;
    },
    idOf: (record) => record.keyId,
  });
  return { ...created, token: created.replayed ? '' : token };
}
