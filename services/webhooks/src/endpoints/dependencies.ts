import type { Clock, Database } from '@parley/runtime';
import type { Vault } from '@parley/vault';
import type { AddressPolicy } from '../network';

/** What the use cases of endpoints and deliveries work with. */
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
}
