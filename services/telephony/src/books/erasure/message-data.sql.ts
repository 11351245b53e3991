import type { Queryable } from '@parley/runtime';
import { type ErasedCopy, personWith, replyRoute } from './erased.rules';

// Spans halls: what is erased together is erased by one statement or in one transaction, so that no copy of personal data outlives the others.

interface CopyRow {
  readonly resource_id: string;
  readonly first_event_id: string;
  readonly last_event_id: string;
  readonly events: number;
}

const copyOf = (row: CopyRow): ErasedCopy => ({
  resourceId: row.resource_id,
  firstEventId: row.first_event_id,
  lastEventId: row.last_event_id,
  events: row.events,
});

/**
 * Erases those messages that have no job left. The row remains as the accounting record. The metadata of an agent's reply names its chat, which an erasure of
 * the number must still find: the chat is noted first. A reply is recognized by its Idempotency-Key, because customers choose the metadata of their messages. The
 * returned bounds of event ids include a tolerance of 10 minutes, because event ids contain the clock of the process that created them.
 */
export async function eraseMessageRows(
  tx: Queryable,
  organizationId: string,
  messageIds: readonly string[],
): Promise<ErasedCopy[]> {
  const { rows } = await tx.query<CopyRow>({
    name: 'erase-messages',
    text: `with over as materialized (
        select message_id, created_at, updated_at, resource_seq, direction, to_number,
          substring(metadata from '"reply_to":"(msg_[0-9A-Za-z]+)"') as reply_to,
          substring(metadata from '"call_id":"(call_[0-9A-Za-z]+)"') as chat_id
        from messages m
        where organization_id = $1 and message_id = any($2::text[]) and erased_at is null
          and not exists (select 1 from message_jobs j where j.message_id = m.message_id)
        order by message_id for update),
      waiting as (
        delete from translation_jobs using over where organization_id = $1 and resource_id = over.message_id),
      chat as (
        insert into message_chats (call_id, organization_id, person)
        select distinct c.call_id, $1::text, ${personWith('over.to_number')} from over
        cross join lateral (
          select from idempotency i where i.organization_id = $1 and i.route = '${replyRoute}' and i.key = over.reply_to
            and i.record_id = over.message_id offset 0) reply
        join calls c on c.organization_id = $1 and c.call_id = over.chat_id
        where over.direction = 'outbound' and c.channel = 'chat' and c.erased_at is null
        on conflict (call_id) do nothing),
      stored as (
        update idempotency i set body = json_build_object('message_id', i.record_id, 'erased', true)::text from over
        where i.organization_id = $1 and i.record_id = over.message_id
          and i.created_at between over.created_at - interval '1 minute' and over.created_at + interval '1 minute')
      update messages m set from_number = '', to_number = '', body = '', translation_body = null, metadata = '{}',
        carrier_message_id = null, policy_notes = null, error_detail = null, erased_at = clock_timestamp(),
        translation_status = case m.translation_status when 'pending' then 'failed' else m.translation_status end,
        translation_reason = case m.translation_status when 'pending' then 'text_gone' else m.translation_reason end
      from over where m.organization_id = $1 and m.message_id = over.message_id
      returning m.message_id as resource_id, ring_id_at('evt', over.created_at - interval '10 minutes') as first_event_id,
        ring_id_at('evt', over.updated_at + interval '10 minutes') as last_event_id,
        case when over.created_at > now() - interval '8 days' then over.resource_seq else 0 end as events`,
    values: [organizationId, messageIds],
  });
  return rows.map(copyOf);
}

/** Deletes those contacts of a campaign that have no open attempt. The caller has locked the campaign and updates its counters. */
export async function deleteContacts(
  tx: Queryable,
  organizationId: string,
  contactIds: readonly string[],
): Promise<
  { readonly status: 'pending' | 'completed'; readonly outcome: string | null; readonly copy: ErasedCopy | undefined }[]
> {
  const { rows } = await tx.query<CopyRow & { status: 'pending' | 'completed'; outcome: string | null }>({
    name: 'erase-contacts',
    text: `with attempt as (
        delete from campaign_attempts a using campaign_contacts c
        where c.organization_id = $1 and c.contact_id = any($2::text[]) and c.status <> 'active'
          and a.organization_id = $1 and a.campaign_id = c.campaign_id and a.contact_id = c.contact_id)
      delete from campaign_contacts where organization_id = $1 and contact_id = any($2::text[]) and status <> 'active'
      returning contact_id as resource_id, status, outcome,
        coalesce(ring_id_at('evt', completed_at - interval '10 minutes'), '') as first_event_id,
        coalesce(ring_id_at('evt', completed_at + interval '10 minutes'), '') as last_event_id,
        (completed_at > now() - interval '8 days')::integer as events`,
    values: [organizationId, contactIds],
  });
  return rows.map((row) => ({
    status: row.status,
    outcome: row.outcome,
    copy: row.status === 'completed' ? copyOf(row) : undefined,
  }));
}

/** Deletes the import records of a campaign. */
export async function deleteImports(db: Queryable, organizationId: string, campaignId: string): Promise<void> {
  await db.query({
    name: 'retention-imports',
    text: `with gone as (
             delete from campaign_imports where organization_id = $1 and campaign_id = $2 returning import_id)
           delete from campaign_import_faults f using gone where f.organization_id = $1 and f.import_id = gone.import_id`,
    values: [organizationId, campaignId],
  });
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
