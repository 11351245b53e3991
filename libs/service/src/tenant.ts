import type { JobKind } from '@parley/contract';
import { forbidden, unauthorized } from '@parley/errors';
import type { Caller } from '@parley/runtime';

/** The kinds of caller that belong to no organization and may access all jobs of one kind (docs/reference/keys.md#workers). */
const hostedJobKinds: Partial<Record<Caller['kind'], JobKind>> = { hosted: 'call', hosted_simulation: 'simulation' };

/**
 * The tenant guard: the organization whose records a request may reach. The gateway has judged this before; it is judged again where the rows are.
 * @param named the organization that the request names; '' for none
 * @returns the caller's own; what it names for operators and for other services, '' where they name none; '' for hosted workers
 * @throws AppError 401 without a caller; 403 when a caller names another organization than its own, and for one that must have an organization and has none
 */
export function tenantOf(caller: Caller | undefined, named: string): string {
  if (caller === undefined) throw unauthorized();
  const { kind, organizationId } = caller;
  if (kind === 'operator' || kind === 'service') return named;
  // '' means any organization in later statements: only callers that belong to none may use it.
  if (organizationId === '' && hostedJobKinds[kind] === undefined) throw forbidden();
  if (named !== '' && named !== organizationId) throw forbidden();
  return organizationId;
}

/** For claims of worker jobs. @throws AppError 403 if a hosted worker names a kind of job other than its own */
export function requireJobKinds({ kind }: Caller, kinds: readonly JobKind[]): void {
  const own = hostedJobKinds[kind];
  if (own !== undefined && kinds.some((one) => one !== own)) throw forbidden();
}

/** For operator actions: the gateway checked the scope, the kind of credential is checked again here. @throws AppError 403 */
export function requireOperator(caller: Caller): void {
  if (caller.kind !== 'operator') throw forbidden();
}
