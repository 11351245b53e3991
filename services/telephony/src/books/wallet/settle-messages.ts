import { newId, type Queryable } from '@parley/runtime';
import * as settlements from './message-settlements.sql';

export type MessageProvisions = settlements.MessageProvisions;

/** A message with a reservation that the carrier accepted, or that failed before. */
export interface DueMessage extends Pick<settlements.MessageSettlement, 'messageId' | 'holdMicros' | 'holdDay'> {
  /** What it costs, of which at most the reservation is charged. */
  readonly costMicros: number;
}

/** Charges messages for what they cost and releases the rest of their reservations. */
export async function settleMessages(tx: Queryable, organizationId: string, due: readonly DueMessage[]): Promise<void> {
  if (due.length === 0) return;
  const settled = due.map(({ costMicros, ...rest }) => ({
    ...rest,
    entryId: newId('txn'),
    chargeMicros: Math.min(costMicros, rest.holdMicros),
  }));
  await settlements.settleMessages(tx, organizationId, settled);
}

/** Reserves what messages may cost, and requests their translations, in the transaction that stores them. The caller has locked the counter row. */
export async function provideForMessages(
  tx: Queryable,
  organizationId: string,
  { room, translations }: MessageProvisions,
): Promise<void> {
  if (room !== undefined || translations.length > 0)
    await settlements.provideForMessages(tx, organizationId, { room, translations });
}
