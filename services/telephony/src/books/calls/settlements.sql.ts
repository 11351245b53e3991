import type { Queryable } from '@parley/runtime';

/** The settlement of a call's reservation at the end of the call. Amounts in micro-USD. */
export interface Settlement {
  /** The id of the ledger entry. */
  readonly entryId: string;
  readonly callId: string;
  readonly holdMicros: number;
  readonly holdDay: string;
  /** At most the reserved amount; 0 releases all of it. */
  readonly chargeMicros: number;
}

/**
 * Settles a call's reservation: the organization's number of live calls decreases by one, and the reserved amount in its daily spend is replaced by the charge.
 * If wallet money was reserved, the reservation is released and the charge is debited with a ledger entry. The revision does not change, because a settlement
 * only releases capacity: a batch decided on the older state remains valid.
 */
export async function settleCall(
  tx: Queryable,
  organizationId: string,
  { entryId, callId, holdMicros, holdDay, chargeMicros }: Settlement,
): Promise<void> {
  await tx.query({
    name: 'call-settle',
    text: `with held as materialized (
             select hold_reserved from calls where organization_id = $1 and call_id = $2),
           hot as (
             update organization_controls set live = live - 1,
               spend_micros = spend_micros - case when spend_day = $4::date then $3::bigint - $5::bigint else 0 end,
               reserved_micros = reserved_micros - case when held.hold_reserved then $3::bigint else 0 end,
               balance_micros = balance_micros - case when held.hold_reserved then $5::bigint else 0 end
             from held where organization_id = $1
             returning held.hold_reserved, balance_micros)
           insert into wallet_ledger (organization_id, entry_id, kind, amount_micros, balance_micros, call_id)
           select $1::text, $6::text, 'charge', -$5::bigint, balance_micros, $2::text
           from hot where hold_reserved and $5::bigint > 0`,
    values: [organizationId, callId, holdMicros, holdDay, chargeMicros, entryId],
  });
}
