import { newId } from '@parley/runtime';
import { appendAudit } from '../audit';
import { insertKey } from './keys.sql';
import type { KeyKind } from './clamp-scopes.rules';
import { scopeCatalog, hostedGatewayScopes, hostedWorkerScopes } from './scope-catalog.rules';
import { lastFourOf, mintToken } from './token.rules';
import type { Dependencies } from './dependencies';

export type PlatformKind = 'operator' | 'hosted' | 'hosted-simulation' | 'hosted-gateway';

/** Leasing component credentials. A platform key holds the scope so that it can grant it to other keys. */
const leasing = 'component_credentials:lease';

const grants: Record<PlatformKind, { readonly kind: KeyKind; readonly scopes: readonly string[] }> = {
  operator: { kind: 'operator', scopes: ['all', ...scopeCatalog.operatorOnly, leasing] },
  hosted: { kind: 'hosted', scopes: hostedWorkerScopes },
  'hosted-simulation': { kind: 'hosted_simulation', scopes: hostedWorkerScopes },
  'hosted-gateway': { kind: 'hosted', scopes: hostedGatewayScopes },
};

/** Mints a credential that belongs to no organization. Only a command of the service can do this; there is no API route for it. */
export async function mintPlatformKey(
  deps: Dependencies,
  name: string,
  kind: PlatformKind,
): Promise<{ keyId: string; token: string }> {
  const token = mintToken('tai_', deps.random);
  const keyId = newId('key');
  await deps.db.transaction(async (tx) => {
    await insertKey(tx, '', {
      keyId,
      ...grants[kind],
      name,
      token: deps.peppers.current(token),
      lastFour: lastFourOf(token),
      createdBy: '',
      expiresAt: '',
      maxExpiresAt: '',
      allowedCidrs: [],
      requestsPerMinute: 0,
    });
    const act = { organizationId: '', action: 'platform_key.minted', subject: keyId, detail: { name, kind } };
    await appendAudit(tx, act, {});
  });
  return { keyId, token };
}
