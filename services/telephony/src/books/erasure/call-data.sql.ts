import type { Queryable } from '@parley/runtime';
import { overStatuses } from './erased.rules';

// Spans halls: what is erased together is erased by one statement or in one transaction, so that no copy of personal data outlives the others.

/** Locks those of the calls that are over and not erased, in id order, and returns their ids. The calls cannot change until the transaction ends. */
export async function lockErasable(
  tx: Queryable,
  organizationId: string,
  callIds: readonly string[],
): Promise<string[]> {
  const { rows } = await tx.query<{ call_id: string }>({
    name: 'erase-lock-calls',
    text: `select call_id from calls where organization_id = $1 and call_id = any($2::text[])
             and status in ${overStatuses} and erased_at is null
           order by call_id for update`,
    values: [organizationId, callIds],
  });
  return rows.map(({ call_id: callId }) => callId);
}

/**
 * Deletes transcripts and other content of the calls. Returns the ids of the calls' events, because other services have copies of these events. The caller has
 * locked the calls.
 */
export async function deleteContent(
  tx: Queryable,
  organizationId: string,
  callIds: readonly string[],
): Promise<{ readonly callId: string; readonly eventId: string; readonly recent: boolean }[]> {
  const { rows } = await tx.query<{ call_id: string; event_id: string; recent: boolean }>({
    name: 'erase-content',
    text: `with transcript as (
        delete from transcripts where organization_id = $1 and call_id = any($2::text[])),
      translation as (
        delete from transcript_translations where organization_id = $1 and call_id = any($2::text[])),
      extraction as (
        delete from call_extractions where organization_id = $1 and call_id = any($2::text[])),
      waiting as (
        delete from translation_jobs where organization_id = $1 and resource_id = any($2::text[])),
      tool as (
        delete from tool_calls where organization_id = $1 and call_id = any($2::text[])),
      transfer as (
        delete from call_transfers where organization_id = $1 and call_id = any($2::text[])),
      command as (
        delete from call_commands where organization_id = $1 and call_id = any($2::text[])),
      input_log as (
        delete from call_input_logs where organization_id = $1 and call_id = any($2::text[])),
      turn as (
        delete from call_turns where organization_id = $1 and call_id = any($2::text[])),
      snapshot as (
        delete from call_snapshots where organization_id = $1 and call_id = any($2::text[])),
      noted as (
        update calls set variables = '{}', metadata = '{}', classification_detail = null, mailbox_proof = null, proof_withdrawn_by = null,
          reason_detail = null, policy_notes = null, problems = '[]', transfers = '[]'
        where organization_id = $1 and call_id = any($2::text[]))
      delete from call_events where organization_id = $1 and call_id = any($2::text[])
      returning call_id, event_id, created_at > now() - interval '9 days' as recent`,
    values: [organizationId, callIds],
  });
  return rows.map((row) => ({ callId: row.call_id, eventId: row.event_id, recent: row.recent }));
}

/** Removes the personal data of both parties from calls whose content is deleted. The row remains as the accounting record of the call. */
export async function forgetPeople(tx: Queryable, organizationId: string, callIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase-people',
    text: `with incoming as (
        delete from inbound_calls where organization_id = $1 and call_id = any($2::text[])),
      line as (
        delete from carrier_lines where organization_id = $1 and call_id = any($2::text[])),
      chat as (
        delete from message_chats where organization_id = $1 and call_id = any($2::text[])),
      stored as (
        -- The stored response is replaced, but the idempotency key is kept: a repeated request must not call anyone again.
        update idempotency i set body = json_build_object('call_id', i.record_id, 'erased', true)::text
        from calls c
        where c.organization_id = $1 and c.call_id = any($2::text[])
          and i.organization_id = $1 and i.record_id = c.call_id
          and i.created_at between c.created_at - interval '1 minute' and c.created_at + interval '1 minute')
      update calls set from_number = '', from_raw = null, to_number = '', placed_by = '', tuning = '{}', erased_at = clock_timestamp()
      where organization_id = $1 and call_id = any($2::text[])`,
    values: [organizationId, callIds],
  });
}

/**
 * Deletes recordings. The parts in the store are deleted by the job that also deletes the parts of discarded recordings. If parts of a call may still arrive, a
 * discarded recording is inserted for it, so that those parts are not kept. The caller has locked the calls.
 */
export async function deleteRecordings(
  tx: Queryable,
  organizationId: string,
  callIds: readonly string[],
): Promise<void> {
  await tx.query({
    name: 'erase-recordings',
    text: `with whole as (
        delete from recordings where organization_id = $1 and call_id = any($2::text[]))
      insert into recording_uploads as u (call_id, organization_id, epoch, state, parts, created_at, touched_at)
      select c.call_id, c.organization_id, 0, 'discarded', 0, now(), now() from calls c
      where c.organization_id = $1 and c.call_id = any($2::text[])
        and (c.recording_enabled and c.updated_at > now() - interval '1 day'
          or exists (select 1 from recording_uploads e where e.organization_id = $1 and e.call_id = c.call_id))
      on conflict (call_id) do update set state = 'discarded', parts = 0, size_bytes = null, duration_ms = null,
        sha256 = null, wave_sha256 = null, ready_at = null, file_id = null, file_format = null, file_bytes = null,
        file_sha256 = null, attempts = 0, retry_at = clock_timestamp(), leftover = true
      where u.organization_id = $1`,
    values: [organizationId, callIds],
  });
}
