import type { Queryable } from '@parley/runtime';

/** A page of the scan over an organization's records. */
export interface WalkedPage {
  /** The id of the last record examined; undefined at the end. */
  readonly last: string | undefined;
  /** Records that contain the number and are not erased. */
  readonly found: readonly string[];
}

interface PageRow {
  readonly last: string | null;
  readonly found: string[] | null;
}

const pageOf = ({ rows: [row] }: { readonly rows: readonly PageRow[] }): WalkedPage => ({
  last: row?.last ?? undefined,
  found: row?.found ?? [],
});

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
      text: `select max(call_id) as last,
               array_agg(call_id order by call_id) filter (where erased_at is null and $2 in (from_number, to_number)) as found
             from (select call_id, from_number, to_number, erased_at from calls
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
      text: `select max(message_id) as last,
               array_agg(message_id order by message_id) filter (where erased_at is null and $2 in (from_number, to_number)) as found
             from (select message_id, from_number, to_number, erased_at from messages
                   where organization_id = $1 and message_id > $3 order by message_id limit $4) page`,
      values: [organizationId, phoneNumber, after, limit],
    }),
  );
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

/** Deletes import faults that contain the number, because they may quote the invalid row. */
export async function deleteImportFaultsWith(
  db: Queryable,
  organizationId: string,
  phoneNumber: string,
): Promise<void> {
  await db.query({
    name: 'erase-import-faults',
    text: `delete from campaign_import_faults f using campaign_imports i
           where i.organization_id = $1 and f.organization_id = $1 and f.import_id = i.import_id
             and position($2 in f.reason) > 0`,
    values: [organizationId, phoneNumber],
  });
}
