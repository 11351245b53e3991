import { conflict } from '@parley/errors';
import type { Caller } from '@parley/runtime';

/**
 * A second person approves: a customer's key does not approve what it placed, launched or resumed itself. Operators may, and so may the platform, which
 * carries out what was approved.
 * @throws ConflictError
 */
export async function refusePlacer(
  caller: Caller | undefined,
  isPlacer: (keyId: string) => Promise<boolean>,
): Promise<void> {
  if (caller?.kind !== 'customer') return;
  if (await isPlacer(caller.keyId)) throw conflict('the key that asked for it cannot approve it');
}
