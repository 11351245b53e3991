import type { JobKind } from '@parley/contract';
import { forbidden, missingScope, unauthorized } from '@parley/errors';
import type { Caller } from '@parley/runtime';

/** The kinds of callers that belong to no organization and may access all jobs of one kind (docs/reference/keys.md#workers). */
const hostedJobKinds: Partial<Record<Caller['kind'], JobKind>> = { hosted: 'call', hosted_simulation: 'simulation' };

/**
 * The tenant guard: returns the organization whose records a request may access. The gateway has already checked this; it is checked again in the service that
 * has the rows.
 * @param named the organization that the request specifies; '' for none
 * @returns the caller's own organization; for operators and other services the specified one, or '' if they specify none; '' for hosted workers
 * @throws AppError 401 without a caller; 403 if a caller specifies another organization than its own, and for a caller that must belong to an organization but
 * does not
 */
export function tenantOf(caller: Caller | undefined, named: string): string {
  if (caller === undefined) throw unauthorized();
  const { kind, organizationId } = caller;
  if (kind === 'operator' || kind === 'service') return named;
  // In later statements '' means any organization, so only callers that belong to none may get it.
  if (organizationId === '' && hostedJobKinds[kind] === undefined) throw forbidden();
  if (named !== '' && named !== organizationId) throw forbidden();
  return organizationId;
}

/** Checks claims of worker jobs. @throws AppError 403 if a hosted worker requests another kind of job than its own */
export function requireJobKinds({ kind }: Caller, kinds: readonly JobKind[]): void {
  const own = hostedJobKinds[kind];
  if (own !== undefined && kinds.some((one) => one !== own)) throw forbidden();
}

/** Checks actions of operators. The gateway has checked the scope; the kind of credential is checked again here. @throws AppError 403 */
export function requireOperator(caller: Caller): void {
  if (caller.kind !== 'operator') throw forbidden();
}

/**
 * Checks writes that set or change where transcripts, prompts or sound of calls go: such a write reads them, whatever the namespace of its route
 * (docs/reference/keys.md#content). @throws AppError 403
 */
export function requireContentScope(caller: Pick<Caller, 'scopes'> | undefined): void {
  if (caller?.scopes.includes('recordings:read') !== true) throw missingScope('recordings:read');
}
