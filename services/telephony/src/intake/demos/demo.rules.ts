import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Demo, DemoKind } from '@parley/contract';
import { AppError, conflict } from '@parley/errors';

/** The settings of a demo, and what was used of its limits. */
export interface DemoRecord {
  readonly organizationId: string;
  readonly agentId: string;
  readonly kinds: readonly DemoKind[];
  readonly expiresAt: Date;
  readonly dailyLimit: number;
  readonly addressLimit: number;
  readonly spendCapMicros: number;
  /** The cost of conversations that are over, and the maximum cost of the others. */
  readonly spentMicros: number;
  /** The part of `spentMicros` that conversations in progress may cost. */
  readonly heldMicros: number;
  readonly conversationsToday: number;
  readonly createdAt: Date;
  /** Until the day ends (UTC). */
  readonly secondsLeftToday: number;
}

export const newDemoToken = (): string => `dmo_${randomBytes(32).toString('base64url')}`;

/** The stored form of the token. */
export const demoTokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The token is the key, and it is not stored. Therefore addresses cannot be recovered from the hashes by trying all of them. */
export const addressHash = (token: string, address: string): Buffer =>
  createHmac('sha256', token).update(address).digest();

/**
 * Checks whether one more conversation is within the limits.
 * @param fromAddress the conversations of the visitor's address today
 * @param holdMicros the maximum cost of the conversation
 * @throws AppError rate_limited if a later attempt may succeed; ConflictError once the spend cap is reached
 */
export function refuseBeyondLimits(demo: DemoRecord, fromAddress: number, holdMicros: number): void {
  if (demo.conversationsToday >= demo.dailyLimit || fromAddress >= demo.addressLimit)
    throw limited('the demo has reached its limit of conversations for today', demo.secondsLeftToday);
  const { spentMicros, heldMicros, spendCapMicros } = demo;
  if (spentMicros + holdMicros <= spendCapMicros) return;
  if (spentMicros - heldMicros + holdMicros > spendCapMicros) throw conflict('the demo has reached its spend cap');
  throw limited('the conversations in progress may reach the spend cap of the demo', 60);
}

const limited = (message: string, retryAfterSeconds: number): AppError =>
  new AppError('rate_limited', message, { fields: { retry_after_seconds: retryAfterSeconds } });

export const renderDemo = (demo: DemoRecord): Demo => ({
  agent_id: demo.agentId,
  kinds: [...demo.kinds],
  expires_at: demo.expiresAt.toISOString(),
  daily_limit: demo.dailyLimit,
  address_limit: demo.addressLimit,
  spend_cap_micros: demo.spendCapMicros,
  spent_micros: demo.spentMicros,
  conversations_today: demo.conversationsToday,
  created_at: demo.createdAt.toISOString(),
});
