import type { Call, CallStatus } from './call.rules';
import { callOf, selectedCall, type CallRow } from './call-rows.sql';
import { filtered, type ListFilter } from '../../filters.rules';
import type { Queryable } from '@parley/runtime';

/** Returns undefined if the call does not exist or belongs to another organization. */
export async function findCall(db: Queryable, organizationId: string, callId: string): Promise<Call | undefined> {
  const { rows } = await db.query<CallRow>({
    name: 'call-find',
    text: `select ${selectedCall} from calls c where c.organization_id = $1 and c.call_id = $2`,
    values: [organizationId, callId],
  });
  return rows[0] === undefined ? undefined : callOf(rows[0]);
}

/** The possible values of `final_status`. */
const finalStatuses: readonly CallStatus[] = ['completed', 'failed', 'canceled', 'policy_blocked'];

const listed = selectedCall.replaceAll('c.', 'r.');

/** What lists of calls are searched by that is not in their rows. */
export interface CallSearch {
  /** The campaign that placed them; empty: any. */
  readonly campaignId: string;
  /** An entry of their metadata; undefined: any. */
  readonly metadata: { readonly name: string; readonly value: string } | undefined;
}

/** Newest first, unless the filter sets another order. */
export async function listCalls(
  db: Queryable,
  organizationId: string,
  filter: ListFilter,
  { campaignId, metadata }: CallSearch,
): Promise<Call[]> {
  const other = campaignId === '' ? undefined : 'a.call_id';
  const foundBy = metadata === undefined ? other : 'm.call_id';
  const final = { column: 'final_status', statuses: finalStatuses };
  const { of, end, values } = filtered(organizationId, filter, 'call_id', final, foundBy);
  const sources: string[] = [];
  const conditions = [of];
  if (campaignId !== '') {
    sources.push('campaign_attempts a');
    conditions.push(
      `a.call_id = ${metadata === undefined ? 'r' : 'm'}.call_id and a.organization_id = $1 and a.call_id is not null`,
    );
    conditions.push(`a.campaign_id = $${values.push(campaignId)}`);
  }
  if (metadata === undefined) sources.push('calls r');
  else {
    // Each call is looked up by its id: `offset 0` keeps the planner from reading all calls in the order of their ids to find a few of them.
    const found = 'select * from calls c where c.organization_id = $1 and c.call_id = m.call_id offset 0';
    sources.push(`call_metadata m cross join lateral (${found}) r`);
    conditions.push('m.organization_id = $1');
    conditions.push(`m.name = $${values.push(metadata.name)} and m.value = $${values.push(metadata.value)}`);
  }
  const { rows } = await db.query<CallRow>({
    text: `select ${listed} from ${sources.join(', ')} where ${conditions.join(' and ')}${end}`,
    values,
  });
  return rows.map(callOf);
}

/** Locks the call until the transaction ends; returns it with the database's time. Lock order: the call's job first. */
export async function lockCall(
  tx: Queryable,
  organizationId: string,
  callId: string,
): Promise<{ call: Call; now: Date } | undefined> {
  const { rows } = await tx.query<CallRow & { now: Date }>({
    name: 'call-lock',
    text: `select ${selectedCall}, clock_timestamp() as now from calls c
           where c.organization_id = $1 and c.call_id = $2 for update`,
    values: [organizationId, callId],
  });
  const row = rows[0];
  return row === undefined ? undefined : { call: callOf(row), now: row.now };
}

/** Writes the fields that a transition can change. The caller has locked the call. */
export async function writeCall(tx: Queryable, organizationId: string, call: Call): Promise<void> {
  await tx.query({
    name: 'call-write',
    text: `update calls set status = $3, resource_seq = $4, ended_reason = $5, reason_detail = $6, classification = $7,
             classification_detail = $8, queued_at = $9, dialing_at = $10, answered_at = $11, media_started_at = $12,
             ended_at = $13, completed_at = $14, failed_at = $15, canceled_at = $16, updated_at = $17,
             duration_seconds = $18, cost_micros = $19, hold_micros = $20, hold_day = $21, problems = $22,
             components_simulated = $23, cancel_requested_at = $24, answer_detection = $25, mailbox_proof = $26, navigation = $27,
             proof_withdrawn_by = $28
           where organization_id = $1 and call_id = $2`,
    values: [
      organizationId,
      call.callId,
      call.status,
      call.resourceSeq,
      call.endedReason,
      call.reasonDetail,
      call.classification,
      call.classificationDetail,
      call.queuedAt,
      call.dialingAt,
      call.answeredAt,
      call.mediaStartedAt,
      call.endedAt,
      call.completedAt,
      call.failedAt,
      call.canceledAt,
      call.updatedAt,
      call.durationSeconds,
      call.costMicros,
      call.holdMicros,
      call.holdDay,
      call.problems,
      call.componentsSimulated,
      call.cancelRequestedAt,
      call.answerDetection,
      call.mailboxProof,
      call.navigation,
      call.proofWithdrawnBy,
    ],
  });
}

/**
 * Whether an agent has calls that are due, being dialed or in progress. Outgoing ones are found by their job, because they may have been scheduled long ago.
 * An incoming call has no job and is only as old as its conversation, so only the agent's newest calls are read.
 */
export async function hasLiveCalls(db: Queryable, organizationId: string, agentId: string): Promise<boolean> {
  const { rows } = await db.query<{ live: boolean }>({
    name: 'agent-has-live-calls',
    text: `select exists (
               select from jobs where organization_id = $1 and agent_id = $2 and state = 'queued' and available_at <= now()
             ) or exists (
               select from jobs where organization_id = $1 and agent_id = $2 and state = 'leased'
             ) or exists (
               select from jobs where organization_id = $1 and agent_id = $2 and state = 'adoptable'
             ) or exists (
               select from calls where organization_id = $1 and agent_id = $2 and call_id > ring_id_at('call', now() - interval '3 hours')
                 and status in ('queued', 'dialing', 'answered', 'ended')
                 and (direction = 'inbound' or status <> 'queued')
             ) as live`,
    values: [organizationId, agentId],
  });
  return rows[0]?.live === true;
}

/** The ids of calls in progress that run on the draft of an agent's workflow: version 0. */
export async function listDraftCalls(db: Queryable, organizationId: string, agentId: string): Promise<string[]> {
  const { rows } = await db.query<{ call_id: string }>({
    name: 'agent-draft-calls',
    text: `select call_id from calls where organization_id = $1 and agent_id = $2
             and call_id > ring_id_at('call', now() - interval '3 hours')
             and status in ('dialing', 'answered') and direction = 'inbound'
             and tuning::jsonb -> 'workflow' ->> 'version' = '0'`,
    values: [organizationId, agentId],
  });
  return rows.map(({ call_id: callId }) => callId);
}

/** Writes the pinned configuration of a scheduled call that is due. The caller has locked it. */
export async function pinCall(tx: Queryable, organizationId: string, call: Call): Promise<void> {
  await tx.query({
    name: 'call-pin',
    text: `update calls set mode = $3, publication_version = $4, publication_sha256 = $5, tuning = $6, language = $7,
             recording_enabled = $8, cost_micros_per_minute = $9, variables = $10, needs = $11, carrier = $12,
             simulator_pace = $13, components_simulated = $14, policy_verdict = $15, policy_rules = $16, policy_notes = $17
           where organization_id = $1 and call_id = $2`,
    values: [
      organizationId,
      call.callId,
      call.mode,
      call.publicationVersion,
      call.publicationSha256,
      call.tuning,
      call.language,
      call.recordingEnabled,
      call.costMicrosPerMinute,
      call.variables,
      call.needs,
      call.carrier,
      call.simulatorPace,
      call.componentsSimulated,
      call.policy.verdict,
      call.policy.rules,
      call.policy.notes ?? null,
    ],
  });
}

/** Copies the transfers to the call's record. The caller has locked the call's job. */
export async function showTransfers(tx: Queryable, organizationId: string, callId: string): Promise<void> {
  await tx.query({
    name: 'transfers-show',
    text: `update calls set updated_at = clock_timestamp(), transfers = (
             select coalesce(json_agg(jsonb_build_object('to', t.to_address, 'kind', t.kind, 'outcome', t.outcome,
               'at', to_char(t.outcome_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
               || case when t.by_refer then '{"method": "refer"}' else '{}' end::jsonb order by t.begun_at, t.transfer_id), '[]')::text
             from call_transfers t where t.organization_id = $1 and t.call_id = $2)
           where organization_id = $1 and call_id = $2`,
    values: [organizationId, callId],
  });
}
