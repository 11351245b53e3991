import type { TransferKind, TransferOutcome } from '@parley/contract';
import type { Queryable } from '@parley/runtime';

/** A transfer of a call, with its leg. */
export interface Transfer {
  readonly transferId: string;
  readonly organizationId: string;
  readonly callId: string;
  readonly key: string;
  readonly to: string;
  readonly kind: TransferKind;
  readonly announcement: string | null;
  readonly provider: string;
  readonly accountSid: string;
  /** Transfer by SIP REFER: the peer of the line calls the other party, and the platform places no leg. */
  readonly byRefer: boolean;
  readonly carrierCallId: string | null;
  readonly outcome: TransferOutcome;
  readonly begunAt: Date;
  readonly outcomeAt: Date;
  readonly joinedAt: Date | null;
  readonly leftAt: Date | null;
}

export interface TransferRow {
  readonly transfer_id: string;
  readonly organization_id: string;
  readonly call_id: string;
  readonly key: string;
  readonly to_address: string;
  readonly kind: TransferKind;
  readonly announcement: string | null;
  readonly provider: string;
  readonly account_sid: string;
  readonly by_refer: boolean;
  readonly carrier_call_id: string | null;
  readonly outcome: TransferOutcome;
  readonly begun_at: Date;
  readonly outcome_at: Date;
  readonly joined_at: Date | null;
  readonly left_at: Date | null;
}

export const transferColumns = [
  ...['transfer_id', 'organization_id', 'call_id', 'key', 'to_address', 'kind', 'announcement', 'provider'],
  ...['account_sid', 'by_refer', 'carrier_call_id', 'outcome', 'begun_at', 'outcome_at', 'joined_at', 'left_at'],
].join(', ');

export const transferOf = (row: TransferRow): Transfer => ({
  transferId: row.transfer_id,
  organizationId: row.organization_id,
  callId: row.call_id,
  key: row.key,
  to: row.to_address,
  kind: row.kind,
  announcement: row.announcement,
  provider: row.provider,
  accountSid: row.account_sid,
  byRefer: row.by_refer,
  carrierCallId: row.carrier_call_id,
  outcome: row.outcome,
  begunAt: row.begun_at,
  outcomeAt: row.outcome_at,
  joinedAt: row.joined_at,
  leftAt: row.left_at,
});

export type NewTransfer = Pick<
  Transfer,
  'transferId' | 'callId' | 'key' | 'to' | 'kind' | 'announcement' | 'provider' | 'accountSid' | 'byRefer'
>;

export async function insertTransfer(tx: Queryable, organizationId: string, transfer: NewTransfer): Promise<void> {
  await tx.query({
    name: 'transfer-insert',
    text: `insert into call_transfers (transfer_id, organization_id, call_id, key, to_address, kind, announcement, provider, account_sid,
             by_refer)
           values ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      organizationId,
      transfer.transferId,
      transfer.callId,
      transfer.key,
      transfer.to,
      transfer.kind,
      transfer.announcement,
      transfer.provider,
      transfer.accountSid,
      transfer.byRefer,
    ],
  });
}

/** The transfers of a call, in order; a call has only a few. */
export async function transfersOfCall(db: Queryable, organizationId: string, callId: string): Promise<Transfer[]> {
  const { rows } = await db.query<TransferRow>({
    name: 'transfers-of-call',
    text: `select ${transferColumns} from call_transfers where organization_id = $1 and call_id = $2
           order by begun_at, transfer_id`,
    values: [organizationId, callId],
  });
  return rows.map(transferOf);
}

export interface TransferChange {
  readonly outcome: TransferOutcome;
  readonly carrierCallId: string | null;
  /** Sets the timestamp to now if it is not set yet; the same for `left`. */
  readonly joined: boolean;
  readonly left: boolean;
}

/** Updates a transfer. The caller has locked the call's job. */
export async function writeTransfer(
  tx: Queryable,
  organizationId: string,
  transferId: string,
  { outcome, carrierCallId, joined, left }: TransferChange,
): Promise<void> {
  await tx.query({
    name: 'transfer-write',
    text: `update call_transfers set outcome = $3, carrier_call_id = coalesce(carrier_call_id, $4),
             outcome_at = case when outcome <> $3 then clock_timestamp() else outcome_at end,
             joined_at = case when $5 then coalesce(joined_at, clock_timestamp()) else joined_at end,
             left_at = case when $6 then coalesce(left_at, clock_timestamp()) else left_at end
           where organization_id = $1 and transfer_id = $2`,
    values: [organizationId, transferId, outcome, carrierCallId, joined, left],
  });
}

/** The line was not moved to the other party: it is due again. The caller has locked the call's job. */
export async function unjoin(tx: Queryable, organizationId: string, transferId: string): Promise<void> {
  await tx.query({
    name: 'transfer-unjoin',
    text: 'update call_transfers set joined_at = null where organization_id = $1 and transfer_id = $2',
    values: [organizationId, transferId],
  });
}
