import type { Queryable } from '@parley/runtime';
import { transferColumns, transferOf, type Transfer, type TransferRow } from './transfers.sql';

/**
 * How long after its placement a leg without status updates is handled, and how long after the call was connected a line or peer that has not joined is
 * handled.
 */
const silentSeconds = 60;
/** Slower than any voice, so that an announcement is never cut off. */
const charactersPerSecond = 8;
const unjoinedSeconds = 3;
/** How long all processes of this service may be unavailable without the worker considering a transfer as failed. */
const awaySeconds = 30;

/** How long the worker of a call regards a transfer as in progress if its end is not reported. */
export const longestTransferSeconds = (announcement: string | null): number =>
  silentSeconds + Math.ceil((announcement ?? '').length / charactersPerSecond) + awaySeconds;

/** A leg still rings although the line of its call is closed. */
const abandoned = `t.outcome = 'ringing' and not t.by_refer and (t.carrier_call_id is not null or t.provider = 'sip_trunk')
  and exists (select from carrier_lines l where l.organization_id = t.organization_id and l.call_id = t.call_id and l.state = 'closed')`;

/** Transfers that are due. */
export async function dueTransfers(
  db: Queryable,
  most: number,
): Promise<(Transfer & { readonly abandoned: boolean })[]> {
  const { rows } = await db.query<TransferRow & { abandoned: boolean }>({
    name: 'transfers-due',
    text: `select ${transferColumns}, ${abandoned} as abandoned from call_transfers t
           where (outcome = 'ringing' or (outcome = 'connected' and joined_at is null and left_at is null))
             and (${abandoned} or case when by_refer and joined_at is null then outcome_at < now() - make_interval(secs => ${unjoinedSeconds})
               when outcome = 'ringing' then begun_at < now() - make_interval(secs => ${silentSeconds} + coalesce(length(announcement), 0) / ${charactersPerSecond})
               else outcome_at < now() - make_interval(secs => ${unjoinedSeconds}) end)
           order by begun_at limit $1`,
    values: [most],
  });
  return rows.map((row) => ({ ...transferOf(row), abandoned: row.abandoned }));
}
