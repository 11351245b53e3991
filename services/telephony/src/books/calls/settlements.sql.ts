import type { Queryable } from '@parley/runtime';
import { atCounterRow, inEra, nextEra } from '../counter-rows/counter-row.sql';

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
  await atCounterRow(organizationId, async (era) => {
    const { rows } = await tx.query<{ era: number }>({
      name: 'call-settle',
      text: `with held as materialized (
             select hold_reserved from calls where (organization_id = $1) is true and call_id = $2),
           hot as (
             update organization_controls c set ${nextEra('c')}, live = live - 1,
               spend_micros = spend_micros - case when spend_day = $4::date then $3::bigint - $5::bigint else 0 end,
               reserved_micros = reserved_micros - case when held.hold_reserved then $3::bigint else 0 end,
               balance_micros = balance_micros - case when held.hold_reserved then $5::bigint else 0 end
             from held where ${inEra('c', '$1::text', '$7::integer')} and (organization_id = $1) is true
             returning c.era, held.hold_reserved, balance_micros),
           charged as (
           insert into wallet_ledger (organization_id, entry_id, kind, amount_micros, balance_micros, call_id)
           select $1::text, $6::text, 'charge', -$5::bigint, balance_micros, $2::text
           from hot where hold_reserved and $5::bigint > 0)
           select era from hot`,
      values: [organizationId, callId, holdMicros, holdDay, chargeMicros, entryId, era],
    });
    return rows[0];
  });
}
