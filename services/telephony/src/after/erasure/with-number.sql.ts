import type { Queryable } from '@parley/runtime';
import { personWith } from '../../books/erasure/erased.rules';

/** A page of the scan over an organization's records. */
export interface WalkedPage {
  /** The id of the last record examined; undefined at the end. */
  readonly last: string | undefined;
  /** Up to which id no further record can appear; empty at the end. Ids begin with their time, and transactions may commit a little later. */
  readonly settled: string;
  /** Records that contain the number and are not erased. */
  readonly found: readonly string[];
}

interface PageRow {
  readonly last: string | null;
  readonly settled: string | null;
  readonly found: string[] | null;
}

const pageOf = ({ rows: [row] }: { readonly rows: readonly PageRow[] }): WalkedPage => ({
  last: row?.last ?? undefined,
  settled: row?.settled ?? '',
  found: row?.found ?? [],
});

/** @param id the column of the id, whose ids have this prefix @param more another condition under which a record contains the number */
function page(id: string, prefix: string, more = 'false'): string {
  const recent = `ring_id_at('${prefix}', now() - interval '1 minute')`;
  return `max(${id}) as last, case when max(${id}) > ${recent} then ${recent} else max(${id}) end as settled,
  array_agg(${id} order by ${id}) filter (where erased_at is null and ($2 in (from_number, to_number) or ${more})) as found`;
}

/** A caller who was sent without the plus, or with the prefix of an international call. */
const rawNumber = `'+' || ltrim(regexp_replace(from_raw, '\\D', '', 'g'), '0') = $2`;

// Scans all calls in id order. An index on the numbers would slow down every call, and erasures are rare.

export async function callsWithNumber(
  db: Queryable,
  organizationId: string,
  phoneNumber: string,
  after: string,
  limit: number,
): Promise<WalkedPage> {
  return pageOf(
    await db.query<PageRow>({
      name: 'erase-walk-calls',
      text: `select ${page('call_id', 'call', rawNumber)}
             from (select call_id, from_number, from_raw, to_number, erased_at from calls
                   where organization_id = $1 and call_id > $3 order by call_id limit $4) page`,
      values: [organizationId, phoneNumber, after, limit],
    }),
  );
}

export async function messagesWithNumber(
  db: Queryable,
  organizationId: string,
  phoneNumber: string,
  after: string,
  limit: number,
): Promise<WalkedPage> {
  return pageOf(
    await db.query<PageRow>({
      name: 'erase-walk-messages',
      text: `select ${page('message_id', 'msg')}
             from (select message_id, from_number, to_number, erased_at from messages
                   where organization_id = $1 and message_id > $3 order by message_id limit $4) page`,
      values: [organizationId, phoneNumber, after, limit],
    }),
  );
}

/** A record that is not erased. */
export interface OpenRecord {
  readonly id: string;
  /** Whether it waits to be dialed or sent, for example for its time, a review or the end of a suspension. */
  readonly idle: boolean;
}

/** Those of the calls that are not erased. */
export async function openCalls(
  db: Queryable,
  organizationId: string,
  callIds: readonly string[],
): Promise<OpenRecord[]> {
  const { rows } = await db.query<OpenRecord>({
    name: 'erase-open-calls',
    text: `select call_id as id, status in ('scheduled', 'needs_review', 'queued') as idle from calls
           where organization_id = $1 and call_id = any($2::text[]) and erased_at is null`,
    values: [organizationId, callIds],
  });
  return rows;
}

/** Those of the messages that are not erased. */
export async function openMessages(
  db: Queryable,
  organizationId: string,
  messageIds: readonly string[],
): Promise<OpenRecord[]> {
  const { rows } = await db.query<OpenRecord>({
    name: 'erase-open-messages',
    text: `select m.message_id as id,
             exists (select from message_jobs j where j.message_id = m.message_id and j.state = 'queued') as idle
           from messages m
           where m.organization_id = $1 and m.message_id = any($2::text[]) and m.erased_at is null`,
    values: [organizationId, messageIds],
  });
  return rows;
}

/** The next chats, in the order of their ids, in which agents answered messages of the number and that are not erased. */
export async function chatsWithNumber(
  db: Queryable,
  organizationId: string,
  phoneNumber: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ call_id: string }>({
    name: 'erase-find-chats',
    text: `select c.call_id from message_chats t join calls c on c.organization_id = $1 and c.call_id = t.call_id
           where t.organization_id = $1 and t.person = ${personWith('$2::text')} and t.call_id > $3 and c.erased_at is null
           order by t.call_id limit $4`,
    values: [organizationId, phoneNumber, after, limit],
  });
  return rows.map(({ call_id: callId }) => callId);
}

export interface FoundContact {
  readonly campaignId: string;
  readonly contactId: string;
}

/** In the order of campaign ids. */
export async function contactsWithNumber(
  db: Queryable,
  organizationId: string,
  phoneNumber: string,
): Promise<FoundContact[]> {
  const { rows } = await db.query<{ campaign_id: string; contact_id: string }>({
    name: 'erase-find-contacts',
    text: `select found.campaign_id, found.contact_id from campaigns c cross join lateral (
             select campaign_id, contact_id from campaign_contacts
             where organization_id = $1 and campaign_id = c.campaign_id and phone_number = $2 offset 0) found
           where c.organization_id = $1 order by found.campaign_id`,
    values: [organizationId, phoneNumber],
  });
  return rows.map((row) => ({ campaignId: row.campaign_id, contactId: row.contact_id }));
}
