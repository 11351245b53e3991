import type { JobKind } from '@parley/contract';
import { forbidden } from '@parley/errors';
import type { Caller, CallContext } from '@parley/runtime';

/**
 * The organization a request is about: the caller's own, or the one an operator named ('' when it named none). The edge has
 * judged this already; what gets past it is refused here.
 */
export function reach(named: string, { caller }: CallContext): string {
  if (caller === undefined || caller.kind === 'operator' || caller.kind === 'service') return named;
  if (caller.organizationId === '' || (named !== '' && named !== caller.organizationId)) throw forbidden();
  return caller.organizationId;
}

/** As `reach`, for workers: hosted ones ('' ) reach any organization's jobs, and so does an operator who named none. */
export function reachOfWorker(named: string, context: CallContext): string {
  return isHosted(context.caller) ? '' : reach(named, context);
}

/** The kind of job that a hosted worker claims (section 5 rule 11); none for those of an organization. */
const hostedKinds: Partial<Record<Caller['kind'], JobKind>> = { hosted: 'call', hosted_simulation: 'simulation' };

/** @throws ForbiddenError where a hosted worker names jobs of another kind than its own */
export function refuseForeignKinds(kinds: readonly string[], { caller }: CallContext): void {
  const own = isHosted(caller) ? hostedKinds[caller.kind] : undefined;
  if (own !== undefined && kinds.some((kind) => kind !== own)) throw forbidden();
}

const isHosted = (caller: Caller | undefined): caller is Caller =>
  caller !== undefined && caller.kind in hostedKinds && caller.organizationId === '';
