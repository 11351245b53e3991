import type { Database } from '@parley/runtime';
import type { Vault } from '@parley/vault';
import type { Peppers } from '../domain/peppers';
import type { RandomBytes } from '../domain/token';

/** What the use cases stand on. */
export interface Dependencies {
  readonly db: Database;
  readonly peppers: Peppers;
  readonly random: RandomBytes;
  readonly vault: Vault;
}
