import type { Database } from '@parley/runtime';
import type { AddressPolicy, OutboundClient } from '@parley/service';
import type { Vault } from '@parley/vault';
import type { Peppers } from './peppers.rules';
import type { RandomBytes } from './token.rules';

/** Dependencies of the use cases. */
export interface Dependencies {
  readonly db: Database;
  readonly peppers: Peppers;
  readonly random: RandomBytes;
  readonly vault: Vault;
  /** Decides which addresses credentials may name. */
  readonly policy: AddressPolicy;
  /** Sends requests to providers. */
  readonly outbound: Pick<OutboundClient, 'send'>;
}
