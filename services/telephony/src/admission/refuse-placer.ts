import { conflict } from '@parley/errors';
import type { Caller } from '@parley/runtime';

/**
 * Enforces approval by a second person: a customer's key cannot approve a call or campaign that it placed, launched or resumed itself. Operators can, and so
 * can the platform, which carries out what was already approved.
 * @throws ConflictError
 */
export async function refusePlacer(
  caller: Caller | undefined,
  isPlacer: (keyId: string) => Promise<boolean>,
): Promise<void> {
  if (caller?.kind !== 'customer') return;
  if (await isPlacer(caller.keyId)) throw conflict('a request cannot be approved by the API key that made it');
}
