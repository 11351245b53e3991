import { customerScopes, expandScopes, isBundle, isScope, operatorScopes } from '@parley/contract';
import type { ScopeCatalog } from './clamp-scopes.rules';

const customer: ReadonlySet<string> = new Set(customerScopes);

/** The scope catalogue of this release (docs/reference/keys.md). */
export const scopeCatalog: ScopeCatalog & { readonly operatorOnly: readonly string[] } = {
  isKnown: (scope) => isScope(scope) || isBundle(scope),
  isBundle,
  isCustomer: (scope) => customer.has(scope),
  expand: expandScopes,
  operatorOnly: operatorScopes,
};

/** Credentials with fixed scopes: see docs/reference/keys.md. */

/** A self-hosted media gateway: authorizes calls, reports their lifecycle, uploads their artifacts and reads the rules of its numbers. */
export const gatewayTokenScopes = [
  'calls:authorize',
  'gateways:report',
  'artifacts:upload',
  'number-rules:read',
] as const;

/** A hosted worker: claims jobs and sends heartbeats, nothing else. */
export const hostedWorkerScopes = ['worker_jobs:claim', 'worker_jobs:heartbeat'] as const;

/** The hosted outbound gateway. */
export const hostedGatewayScopes = ['calls:authorize', 'gateways:report'] as const;
