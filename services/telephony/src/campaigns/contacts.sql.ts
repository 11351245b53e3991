import type { ContactOutcome } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import type { Contact } from './render-campaign.rules';

interface ContactRow {
  readonly contact_id: string;
  readonly campaign_id: string;
  readonly phone_number: string;
  readonly variables: string;
  readonly metadata: string;
  readonly consent: boolean;
  readonly time_zone: string | null;
  readonly status: Contact['status'];
  readonly outcome: ContactOutcome | null;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly last_call_id: string | null;
  readonly created_at: Date;
  readonly completed_at: Date | null;
}

const contactOf = (row: ContactRow): Contact => ({
  contactId: row.contact_id,
  campaignId: row.campaign_id,
  to: row.phone_number,
  variables: row.variables,
  metadata: row.metadata,
  consent: row.consent,
  timeZone: row.time_zone,
  status: row.status,
  outcome: row.outcome,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at,
  lastCallId: row.last_call_id,
  createdAt: row.created_at,
  completedAt: row.completed_at,
});

export interface NewContact {
  readonly contactId: string;
  readonly to: string;
  /** JSON objects. */
  readonly variables: string;
  readonly metadata: string;
  readonly consent: boolean;
  readonly timeZone: string | null;
}

/** Adds contacts whose number is not in the campaign yet; returns how many were added. The caller has locked the campaign. */
export async function addContacts(
  tx: Queryable,
  organizationId: string,
  campaignId: string,
  contacts: readonly NewContact[],
  at: Date,
): Promise<number> {
  if (contacts.length === 0) return 0;
  const { rowCount } = await tx.query({
    name: 'contacts-add',
    text: `insert into campaign_contacts (organization_id, campaign_id, contact_id, phone_number, variables, metadata, consent,
             time_zone, next_attempt_at, created_at)
           select $1::text, $2::text, contact_id, phone_number, variables, metadata, consent, time_zone, $9::timestamptz, $9::timestamptz
           from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[])
             as given (contact_id, phone_number, variables, metadata, consent, time_zone)
           on conflict (organization_id, campaign_id, phone_number) do nothing`,
    values: [
      organizationId,
      campaignId,
      contacts.map(({ contactId }) => contactId),
      contacts.map(({ to }) => to),
      contacts.map(({ variables }) => variables),
      contacts.map(({ metadata }) => metadata),
      contacts.map(({ consent }) => consent),
      contacts.map(({ timeZone }) => timeZone),
      at,
    ],
  });
  return rowCount;
}

/** A page of a campaign's contacts in the order of their ids, starting after the id `after`. */
export async function listContactsAfter(
  db: Queryable,
  organizationId: string,
  campaignId: string,
  after: string,
  limit: number,
): Promise<Contact[]> {
  const { rows } = await db.query<ContactRow>({
    name: 'contacts-after',
    text: `select * from campaign_contacts where organization_id = $1 and campaign_id = $2 and contact_id > $3
           order by contact_id limit $4`,
    values: [organizationId, campaignId, after, limit],
  });
  return rows.map(contactOf);
}

export interface ContactFilter {
  /** Filter by stored status; empty for all. */
  readonly status: string;
  /** Return only older contacts than this one; empty for the first page. */
  readonly before: string;
  readonly limit: number;
}

/** Newest first. */
export async function listContacts(
  db: Queryable,
  organizationId: string,
  campaignId: string,
  { status, before, limit }: ContactFilter,
): Promise<Contact[]> {
  const { rows } = await db.query<ContactRow>({
    name: 'contacts-list',
    text: `select * from campaign_contacts where organization_id = $1 and campaign_id = $2
             and ($3::text = '' or status = $3) and ($4::text = '' or contact_id < $4)
           order by contact_id desc limit $5`,
    values: [organizationId, campaignId, status, before, limit],
  });
  return rows.map(contactOf);
}

/**
 * Claims contacts that are due, those due longest first: they become active, and their number of attempts is incremented. The caller has locked the campaign.
 */
export async function claimContacts(
  tx: Queryable,
  organizationId: string,
  campaignId: string,
  now: Date,
  limit: number,
): Promise<Contact[]> {
  const { rows } = await tx.query<ContactRow>({
    name: 'contacts-claim',
    text: `with due as (
             select contact_id from campaign_contacts
             where organization_id = $1 and campaign_id = $2 and status = 'pending' and next_attempt_at <= $3
             order by next_attempt_at, contact_id limit $4)
           update campaign_contacts c set status = 'active', next_attempt_at = null, attempts = c.attempts + 1
           from due where c.organization_id = $1 and c.contact_id = due.contact_id returning c.*`,
    values: [organizationId, campaignId, now, limit],
  });
  return rows.map(contactOf);
}

/** When the next contact is due; null if no contact waits. */
export async function nextContactDue(tx: Queryable, organizationId: string, campaignId: string): Promise<Date | null> {
  const { rows } = await tx.query<{ next_attempt_at: Date }>({
    name: 'contacts-next-due',
    text: `select next_attempt_at from campaign_contacts
           where organization_id = $1 and campaign_id = $2 and status = 'pending'
           order by next_attempt_at, contact_id limit 1`,
    values: [organizationId, campaignId],
  });
  return rows[0]?.next_attempt_at ?? null;
}

/** How the end of an attempt changes its contact. */
export interface ContactChange {
  readonly contactId: string;
  /** Null: the contact is not called again, and `outcome` is final. */
  readonly nextAttemptAt: Date | null;
  readonly outcome: ContactOutcome;
  readonly callId: string | null;
  /** The attempt is not counted. */
  readonly uncounted: boolean;
}

/** Updates contacts after their attempts and returns them. The caller has locked the campaign. */
export async function writeContacts(
  tx: Queryable,
  organizationId: string,
  changes: readonly ContactChange[],
  now: Date,
): Promise<Contact[]> {
  if (changes.length === 0) return [];
  const { rows } = await tx.query<ContactRow>({
    name: 'contacts-write',
    text: `update campaign_contacts c set
             status = case when given.next_attempt_at is null then 'completed' else 'pending' end,
             outcome = case when given.next_attempt_at is null then given.outcome end,
             completed_at = case when given.next_attempt_at is null then $7::timestamptz end,
             next_attempt_at = given.next_attempt_at,
             attempts = c.attempts - case when given.uncounted then 1 else 0 end,
             last_call_id = coalesce(given.call_id, c.last_call_id)
           from unnest($2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::boolean[])
             as given (contact_id, next_attempt_at, outcome, call_id, uncounted)
           where c.organization_id = $1 and c.contact_id = given.contact_id returning c.*`,
    values: [
      organizationId,
      changes.map(({ contactId }) => contactId),
      changes.map(({ nextAttemptAt }) => nextAttemptAt?.toISOString() ?? null),
      changes.map(({ outcome }) => outcome),
      changes.map(({ callId }) => callId),
      changes.map(({ uncounted }) => uncounted),
      now,
    ],
  });
  return rows.map(contactOf);
}
