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

const isHosted = (caller: Caller | undefined): boolean => caller?.kind === 'hosted' && caller.organizationId === '';
