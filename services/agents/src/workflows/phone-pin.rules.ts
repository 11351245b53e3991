import type { PhonePin } from '@parley/contract';

/** A stored PIN: when it was armed, when it expires and when it was disarmed. Never contains its digits. */
export interface StoredPin {
  readonly armedAt: string | null;
  readonly expiresAt: string | null;
  readonly disarmedAt: string | null;
}

/** Whether a test caller may use the PIN. Times are ISO 8601 of the database's clock, so they can be compared as text. */
export function pinState({ armedAt, expiresAt, disarmedAt }: StoredPin, now: string): PhonePin['state'] {
  if (armedAt === null || expiresAt === null) return 'none';
  if (disarmedAt !== null) return 'disarmed';
  return expiresAt <= now ? 'expired' : 'armed';
}

/** The view of a PIN. Its digits are included only in the response that arms it. */
export function pinView(agentId: string, stored: StoredPin, now: string, digits?: string): PhonePin {
  return {
    agent_id: agentId,
    state: pinState(stored, now),
    ...(digits === undefined ? {} : { pin: digits }),
    armed_at: stored.armedAt,
    expires_at: stored.expiresAt,
  };
}
