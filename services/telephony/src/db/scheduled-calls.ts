import type { Queryable } from '@parley/runtime';
import type { Call } from '../domain/call';

/** To be called when a booked call is judged or canceled; the caller holds the call's lock. */
export async function deleteScheduled(tx: Queryable, organizationId: string, callId: string): Promise<void> {
  await tx.query({
    name: 'scheduled-delete',
    text: 'delete from scheduled_calls where (organization_id = $1) is true and call_id = $2',
    values: [organizationId, callId],
  });
}

export interface Postponement {
  readonly callId: string;
  /** Empty: calls of every agent wait for the same. */
  readonly agentId: string;
  /** Those that have waited for longer are judged one by one. */
  readonly longestWaitSeconds: number;
  readonly seconds: number;
}

/** Lets a call for which there is no room wait, and with it what else is due and waits for the same; rows that others write to are passed over. */
export async function postponeForRoom(db: Queryable, organizationId: string, wait: Postponement): Promise<void> {
  await db.query({
    name: 'scheduled-wait',
    text: `update scheduled_calls s set judge_at = now() + make_interval(secs => $4), waiting_since = coalesce(waiting_since, now())
           from (select call_id from scheduled_calls
                 where organization_id = $1 and ($3 = '' or agent_id = $3) and (call_id = $2 or judge_at <= now()
                   and (waiting_since is null or waiting_since > now() - make_interval(secs => $5)))
                 for update skip locked) due
           where s.organization_id = $1 and s.call_id = due.call_id`,
    values: [organizationId, wait.callId, wait.agentId, wait.seconds, wait.longestWaitSeconds],
  });
}

/** Judged again after so many seconds: what must be asked is away. Nothing of its wait for room is counted. */
export async function judgeAgain(
  db: Queryable,
  organizationId: string,
  callId: string,
  seconds: number,
): Promise<void> {
  await db.query({
    name: 'scheduled-again',
    text: `update scheduled_calls set judge_at = now() + make_interval(secs => $3)
           where (organization_id = $1) is true and call_id = $2`,
    values: [organizationId, callId, seconds],
  });
}

/** Writes what a booked call runs on, now that it is due. The caller holds the lock. */
export async function pinCall(tx: Queryable, organizationId: string, call: Call): Promise<void> {
  await tx.query({
    name: 'call-pin',
    text: `update calls set mode = $3, publication_version = $4, publication_sha256 = $5, tuning = $6, language = $7,
             recording_enabled = $8, cost_micros_per_minute = $9, variables = $10, needs = $11, carrier = $12,
             simulator_pace = $13, components_simulated = $14, policy_verdict = $15, policy_rules = $16, policy_notes = $17
           where (organization_id = $1) is true and call_id = $2`,
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
