import type { Clock, Database } from '@parley/runtime';
import type { Vault } from '@parley/vault';
import type { EventTail } from '../events/event-tail';
import type { AddressPolicy } from '../network/address-policy';

/** What the use cases work with. */
export interface Dependencies {
  readonly db: Database;
  readonly vault: Vault;
  readonly policy: AddressPolicy;
  /** Has the lanes of these endpoints looked at now; called after a commit. */
  readonly nudge: (endpointIds: Iterable<string>) => void;
  readonly clock: Clock;
  /** A recovery was committed. Never throws. */
  readonly onRecovery: () => void;
  /** Audit acts were committed. Never throws. */
  readonly onAudit: () => void;
  readonly tail: EventTail;
}
