import type { CallEventType } from '@parley/contract';
import { databaseNow, newId, type Queryable } from '@parley/runtime';
import { callEvent } from '../calls/call-event.rules';
import { appendCallEvents } from '../calls/call-events.sql';
import { insertCall } from '../calls/call-insert.sql';
import type { Call } from '../calls/call.rules';
import type { StateChange } from '../organizations/organization-state.rules';
import { markReserved, takeRoom } from '../organizations/organization-state.sql';
import { insertAdoptableJob, type AdoptableJob } from '../queue/adoption.cross-tenant.sql';
import { insertHeldJob, type HeldByGateway } from '../queue/insert-job.cross-tenant.sql';
import { noAdoptionToken } from '../queue/adoption-token.rules';

/** Inserts a call that did not come from outbound admission. Its sequence number is that of the last of the events with which it begins. */
export async function beginCall(
  tx: Queryable,
  call: Call,
  at: Date,
  traceparent: string | undefined,
  types: readonly CallEventType[] = ['call.created'],
): Promise<void> {
  await insertCall(tx, call.organizationId, call);
  const events = types.map((event, index) => {
    const resourceSeq = call.resourceSeq - types.length + 1 + index;
    return callEvent(newId('evt'), { call: { ...call, resourceSeq }, event }, at);
  });
  await appendCallEvents(tx, call.organizationId, call.callId, events, traceparent);
}

/** The job of a call that is in no queue: it waits for the token of a worker or for a stream of the carrier, or a media gateway has it already. */
export type StartedJob =
  Pick<AdoptableJob, 'tokenHash' | 'adoptBefore'> | 'stream' | Pick<HeldByGateway, 'holder' | 'leaseSeconds'>;

/**
 * Writes a call that is live at once, with its job and its reservation. The caller has locked the counter row.
 * @param change what the call reserves @returns the id of its job
 */
export async function startCall(
  tx: Queryable,
  started: { readonly call: Call; readonly at: Date; readonly change: StateChange; readonly job: StartedJob },
  traceparent: string | undefined,
): Promise<string> {
  const { call, at, change, job } = started;
  const { organizationId, callId, agentId } = call;
  await beginCall(tx, call, at, traceparent);
  const named = { jobId: newId('job'), organizationId, callId, agentId };
  if (job === 'stream') {
    // A placeholder that no stream receives: each stream gets another token.
    const placeholder = { tokenHash: noAdoptionToken(), adoptBefore: await databaseNow(tx) };
    await insertAdoptableJob(tx, { ...named, dialer: 'platform', ...placeholder });
  } else if ('holder' in job) await insertHeldJob(tx, { ...named, ...job });
  else await insertAdoptableJob(tx, { ...named, ...job });
  await reserve(tx, call, change);
  return named.jobId;
}

/** Must run in the transaction that locked the counter row, while the row still records where the reservation comes from. */
export async function reserve(tx: Queryable, { organizationId, callId }: Call, change: StateChange): Promise<void> {
  await takeRoom(tx, organizationId, change);
  await markReserved(tx, organizationId, callId);
}
