import type { Clock, Database } from '@parley/runtime';
import type { AddressPolicy } from '@parley/service';
import type { Vault } from '@parley/vault';

/** Dependencies of the use cases of endpoints and deliveries. */
export interface Dependencies {
  readonly db: Database;
  readonly vault: Vault;
  readonly policy: AddressPolicy;
  /** Maximum of endpoints per organization. */
  readonly maxEndpoints: number;
  /** Makes the queues of these endpoints due for polling now; called after a commit. */
  readonly wake: (endpointIds: Iterable<string>) => void;
  readonly clock: Clock;
  /** Called after a recovery was committed. Never throws. */
  readonly onRecovery: () => void;
  /** Called after audit events were committed. Never throws. */
  readonly onAudit: () => void;
}
