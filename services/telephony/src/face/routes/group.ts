import { handlerGroup, type CreatingRequest, type PublicCall } from '@parley/service';
import type { JobQueue } from '../../books';
import type { RuntimeConfigurations } from '../../dispatch';
import type { Intake } from '../../intake';
import type { Messaging } from '../../messages';
import type { Network } from '../../network';
import type { Telephony } from '../../telephony';

/** Everything that the use cases of this service need. Known to the handlers and to what builds the service. */
export type WholeTelephony = Telephony & Network & Intake & Messaging;

/** Dependencies of the handlers. */
export interface Served {
  readonly telephony: WholeTelephony;
  readonly queue: JobQueue;
  readonly configurations: RuntimeConfigurations;
  /** Aborted when draining starts. */
  readonly draining: AbortSignal;
}

/** Groups the handlers of some of this service's public routes. */
export const group = handlerGroup<'telephony'>();

/** The parameters of a create request whose organization may be derived from its agent. */
export function creation(call: Pick<PublicCall, 'organizationId' | 'creating'>): {
  /** Empty for an operator that specified no organization. */
  readonly organizationId: string;
  /** The request's idempotency key, in the scope of an organization. */
  readonly request: (organizationId: string) => CreatingRequest;
} {
  return {
    organizationId: call.organizationId,
    request: (organizationId) => call.creating(organizationId),
  };
}
