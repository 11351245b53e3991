import type { Caller } from '@parley/runtime';

/** All scopes that a customer's key may have, as listed in docs/reference/keys.md. */
const customerScopes =
  'account:read coverage:read agents:read agents:write calls:read calls:write recordings:read sms:read sms:send numbers:read ' +
  'numbers:write trial_calls:write api_keys:read api_keys:write wallet:read wallet:write campaigns:read campaigns:write ' +
  'knowledge:read knowledge:write workflows:read workflows:arm simulations:read simulations:run projects:read projects:write ' +
  'extractions:read verification:read usage:read';

const operatorScopes =
  'operator:read operator:write operator:* worker_jobs:read worker_jobs:claim worker_jobs:heartbeat release_gates:write ' +
  'provider_mutations:review provider_mutations:approve provider_mutations:* usage:write platform_media:worker';

/** An operator, which belongs to no organization and may act on any. */
export const operatorCaller: Caller = Object.freeze({
  keyId: 'key_00000000000000000000000001',
  organizationId: '',
  kind: 'operator',
  scopes: [...customerScopes.split(' '), ...operatorScopes.split(' ')],
});

/** A customer's key of one organization with all customer scopes, or with the given ones (bundles expanded). */
export function customerCaller(organizationId: string, scopes: string[] = customerScopes.split(' ')): Caller {
  return { keyId: 'key_00000000000000000000000002', organizationId, kind: 'customer', scopes };
}
