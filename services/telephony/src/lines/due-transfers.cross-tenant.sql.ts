import type { Queryable } from '@parley/runtime';
import { transferColumns, transferOf, type Transfer, type TransferRow } from './transfers.sql';

/** A leg of which nothing is heard is looked after this long after it was begun; a line that did not come to its leg, or to its peer, so long after it could. */
const silentSeconds = 60;
/** Slower than any voice: an announcement that goes on is not given up. */
const charactersPerSecond = 8;
const unjoinedSeconds = 3;

/** Transfers that somebody has to look after. */
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
