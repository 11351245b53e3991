import { conflict } from '@parley/errors';
import type { Caller } from '@parley/runtime';

/** The key that counts as the one that made or approves a request: for a session its parent key, because a key can have any number of sessions. */
export const placerOf = ({ keyId, sessionOf }: Pick<Caller, 'keyId' | 'sessionOf'>): string => sessionOf ?? keyId;

/**
 * Enforces approval by a second person: a customer's key cannot approve a call or campaign that it, or a session of it, placed, launched or resumed. Operators
 * can, and so can the platform, which carries out what was already approved.
 * @throws ConflictError
 */
export async function refusePlacer(
  caller: Caller | undefined,
  isPlacer: (keyId: string) => Promise<boolean>,
): Promise<void> {
  if (caller?.kind !== 'customer') return;
  if (await isPlacer(placerOf(caller))) throw conflict('a request cannot be approved by the API key that made it');
}
