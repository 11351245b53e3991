import type { Clock, Database } from '@parley/runtime';
import type { AddressPolicy } from '@parley/service';
import type { Vault } from '@parley/vault';

/** What the use cases of endpoints and deliveries work with. */
export interface Dependencies {
  readonly db: Database;
  readonly vault: Vault;
  readonly policy: AddressPolicy;
  /** Endpoints that an organization may have. */
  readonly maxEndpoints: number;
  /** Has the queues of these endpoints looked at now; called after a commit. */
  readonly wake: (endpointIds: Iterable<string>) => void;
  readonly clock: Clock;
  /** A recovery was committed. Never throws. */
  readonly onRecovery: () => void;
  /** Audit acts were committed. Never throws. */
  readonly onAudit: () => void;
}
