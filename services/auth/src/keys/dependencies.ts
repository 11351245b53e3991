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
  /** Which addresses credentials may name. */
  readonly policy: AddressPolicy;
  /** Asks providers. */
  readonly outbound: Pick<OutboundClient, 'send'>;
}
