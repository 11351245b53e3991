import type { Queryable } from '@parley/runtime';

// Spans halls: what messages cost and that their texts are to be translated is written in the transaction that stores them.

/** The settlement of a message's reservation once the carrier accepted the message, or it failed before that. Amounts in micro-USD. */
export interface MessageSettlement {
  /** The id of the ledger entry. */
  readonly entryId: string;
  readonly messageId: string;
  readonly holdMicros: number;
  readonly holdDay: string;
  /** At most the reserved amount; 0 releases all of it. */
  readonly chargeMicros: number;
}

/**
 * Settles the reservations of messages of one organization, like `settleCall` for a call. It writes the contended row, so it must be the last statement of a
 * transaction. Each charge of reserved wallet money gets a ledger entry with the balance after it.
 */
/** What messages that are about to be stored reserve, and the translations for which they ask. */
export interface MessageProvisions {
  /** Undefined: they reserve nothing. */
  readonly room:
    { readonly reservedMicros: number; readonly spendMicros: number; readonly spendDay: string } | undefined;
  readonly translations: readonly { readonly messageId: string; readonly language: string }[];
}

/** The caller has locked the counter row. */
export async function provideForMessages(
  tx: Queryable,
  organizationId: string,
  { room, translations }: MessageProvisions,
): Promise<void> {
  await tx.query({
    name: 'messages-provide',
    text: `with hot as (
             update organization_controls set revision = revision + 1, reserved_micros = reserved_micros + $2::bigint,
               spend_micros = case when spend_day = $4::date then spend_micros else 0 end + $3::bigint, spend_day = $4::date
             where organization_id = $1 and $4::date is not null)
           insert into translation_jobs (organization_id, kind, resource_id, target_language)
           select $1::text, 'message', given.* from unnest($5::text[], $6::text[]) as given`,
    values: [
      organizationId,
      room?.reservedMicros ?? 0,
      room?.spendMicros ?? 0,
      room?.spendDay ?? null,
      translations.map(({ messageId }) => messageId),
      translations.map(({ language }) => language),
    ],
  });
}

export async function settleMessages(
  tx: Queryable,
  organizationId: string,
  settlements: readonly MessageSettlement[],
): Promise<void> {
  await tx.query({
    name: 'messages-settle',
    text: `with given as materialized (
             select item.*, m.hold_reserved as reserved
             from unnest($2::text[], $3::text[], $4::bigint[], $5::date[], $6::bigint[]) with ordinality
               as item (entry_id, message_id, hold, day, charge, place)
             join messages m on m.organization_id = $1 and m.message_id = item.message_id),
           total as (
             select coalesce(sum(hold), 0) as hold, coalesce(sum(charge), 0) as charge from given where reserved),
           hot as (
             update organization_controls c set spend_micros = c.spend_micros
                 - coalesce((select sum(hold - charge) from given where day = c.spend_day), 0)::bigint,
               reserved_micros = c.reserved_micros - total.hold::bigint,
               balance_micros = c.balance_micros - total.charge::bigint
             from total where c.organization_id = $1
             returning c.balance_micros, total.charge as charged)
           insert into wallet_ledger (organization_id, entry_id, kind, amount_micros, balance_micros, message_id)
           select $1::text, given.entry_id, 'charge', -given.charge,
             hot.balance_micros + hot.charged - sum(given.charge) over (order by given.place), given.message_id
           from given, hot where given.reserved and given.charge > 0`,
    values: [
      organizationId,
      settlements.map(({ entryId }) => entryId),
      settlements.map(({ messageId }) => messageId),
      settlements.map(({ holdMicros }) => holdMicros),
      settlements.map(({ holdDay }) => holdDay),
      settlements.map(({ chargeMicros }) => chargeMicros),
    ],
  });
}
