import { forbidden, unauthorized } from '@parley/errors';
import type { CallContext, Caller } from '@parley/runtime';

/** Who acts. A request that changes something always has a caller. */
export function callerOf(context: CallContext): Caller {
  if (context.caller === undefined) throw unauthorized();
  return context.caller;
}

/** Routes of the platform itself; the scope was checked at the edge, a customer's key is refused here all the same. */
export function operatorOf(context: CallContext): Caller {
  const caller = callerOf(context);
  if (caller.kind !== 'operator') throw forbidden();
  return caller;
}

/** The organization that a request is about: the caller's own, or the one an operator named. */
export function organizationFor(caller: Caller, named: string): string {
  if (caller.kind === 'operator') return named;
  if (named !== '' && named !== caller.organizationId) throw forbidden();
  return caller.organizationId;
}
