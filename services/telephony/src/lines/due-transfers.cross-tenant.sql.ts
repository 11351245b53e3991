import type { Queryable } from '@parley/runtime';
import { transferColumns, transferOf, type Transfer, type TransferRow } from './transfers.sql';

/** A leg without status updates is handled this long after it was placed; a line that did not join its leg, or its peer, this long after it could have. */
const silentSeconds = 60;
/** Slower than any voice, so that an announcement in progress is not cut off. */
const charactersPerSecond = 8;
const unjoinedSeconds = 3;

/** Transfers that are due for handling. */
export async function dueTransfers(db: Queryable, most: number): Promise<Transfer[]> {
  const { rows } = await db.query<TransferRow>({
    name: 'transfers-due',
    text: `select ${transferColumns} from call_transfers
           where (outcome = 'ringing' or (outcome = 'connected' and joined_at is null and left_at is null))
             and case when by_refer and joined_at is null then outcome_at < now() - make_interval(secs => ${unjoinedSeconds})
               when outcome = 'ringing' then begun_at < now() - make_interval(secs => ${silentSeconds} + coalesce(length(announcement), 0) / ${charactersPerSecond})
               else outcome_at < now() - make_interval(secs => ${unjoinedSeconds}) end
           order by begun_at limit $1`,
    values: [most],
  });
  return rows.map(transferOf);
}
