import type { AgentForCall } from '@parley/proto/agents';
import type { Caller, OutgoingContext } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import {
  routes,
  type CallRecord,
  type Dialer,
  type NumberRecord,
  type WorkerCapabilities,
  type WorkerCompleteAnswer,
  type WorkerJob,
  type WorkerLeaseState,
  type WorkerReportAnswer,
} from '@parley/contract';
import { hostedCapabilities } from './declared-workers';
import type { Instance } from './telephony-under-test';

/** The credential of a hosted worker: no organization, only job scopes. */
export const hostedCaller: Caller = {
  keyId: 'key_00000000000000000000000009',
  organizationId: '',
  kind: 'hosted',
  scopes: ['worker_jobs:claim', 'worker_jobs:heartbeat'],
};

/** The credential of the hosted simulation runner. */
export const simulationCaller: Caller = { ...hostedCaller, kind: 'hosted_simulation' };

export const as = (caller: Caller): OutgoingContext => ({ caller, requestId: 'test' });
export const customer = (organizationId: string): OutgoingContext => as(customerCaller(organizationId));

export interface AddedNumber {
  readonly provider?: string;
  readonly inboundAgentId?: string | null;
  readonly dialer?: Dialer;
}

/** A key of the organization that does not place calls itself. */
export const reviewer = (organizationId: string): Caller => ({
  ...customerCaller(organizationId),
  keyId: 'key_00000000000000000000000003',
});

/** Adds a number of the agent's project to call from. */
export async function addNumber(
  instance: Instance,
  { organizationId, projectId }: Pick<AgentForCall, 'organizationId' | 'projectId'>,
  phoneNumber = freshNumber(),
  { provider = 'simulator', inboundAgentId = null, dialer }: AddedNumber = {},
): Promise<string> {
  const body = {
    organization_id: organizationId,
    project_id: projectId,
    phone_number: phoneNumber,
    provider,
    inbound_agent_id: inboundAgentId,
    dialer,
  };
  // Calls of such a number go to workers of the organization, which declare their capabilities with their claims.
  if (dialer === 'own') await claim(instance, 1, 0, customerCaller(organizationId));
  await instance.request(routes.createNumber, { caller: customerCaller(organizationId), body });
  return phoneNumber;
}

/** Newest first. */
export async function numbersOf(
  instance: Instance,
  { organizationId }: Pick<AgentForCall, 'organizationId'>,
  query: { readonly project_id?: string } = {},
): Promise<NumberRecord[]> {
  const { body } = await instance.request(routes.listNumbers, { caller: customerCaller(organizationId), query });
  return body.data;
}

let numbers = 2_000_000;
/** A number that no other test of this file gets: a number has only one owner, and random numbers collide sometimes. */
export const freshNumber = (): string => `+1415${(numbers += 1)}`;

export interface PlacedCall {
  readonly to?: string;
  readonly key?: string;
  readonly body?: Record<string, unknown>;
}

/** POST /v1/calls, as the gateway forwards it. */
export async function place(
  instance: Instance,
  agent: AgentForCall,
  { to = '+15005550006', key = '', body = {} }: PlacedCall = {},
) {
  const response = await instance.request(routes.createCall, {
    caller: customerCaller(agent.organizationId),
    body: { agent_id: agent.agentId, to, ...body },
    key,
  });
  return { ...response, call: response.body };
}

/** Claims as a hosted worker, or as the given one. */
export async function claim(
  instance: Instance,
  capacity = 1,
  waitSeconds = 0,
  caller: Caller = hostedCaller,
  capabilities: WorkerCapabilities = hostedCapabilities,
): Promise<WorkerJob[]> {
  const body = { kinds: ['call'], capacity, worker_id: 'w1', wait_seconds: waitSeconds, capabilities };
  return (await instance.request(routes.claimWorkerJobs, { caller, body })).body.jobs;
}

/** A claim waits for at most a third of a lease. */
export async function claimOne(instance: Instance, waitSeconds = 20): Promise<WorkerJob> {
  for (const until = performance.now() + waitSeconds * 1_000; ;) {
    const [job] = await claim(instance, 1, waitSeconds);
    if (job !== undefined) return job;
    if (performance.now() > until) throw new Error('no job was claimed');
  }
}

type Lease = Pick<WorkerJob, 'job_id' | 'epoch'>;

export async function heartbeat(
  instance: Instance,
  { job_id, epoch }: Lease,
  caller: Caller = hostedCaller,
): Promise<WorkerLeaseState | undefined> {
  const body = { worker_id: 'w1', leases: [{ job_id, epoch }] };
  return (await instance.request(routes.heartbeatWorkerJobs, { caller, body })).body.leases[0];
}

/** Sends ten heartbeats per second of a worker without a call. Returns a function that stops it. */
export function idleWorker(instance: Instance): () => Promise<void> {
  let stopped = false;
  const beat = async (): Promise<void> => {
    while (!stopped) {
      const body = { worker_id: 'idle', leases: [] };
      await instance.request(routes.heartbeatWorkerJobs, { caller: hostedCaller, body }).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const beating = beat();
  return () => {
    stopped = true;
    return beating;
  };
}

export interface Reported {
  readonly age_ms?: number;
  readonly type: string;
  readonly ended_reason?: string | undefined;
  readonly reason_detail?: string;
  readonly elapsed_ms?: number;
}

export async function report(
  instance: Instance,
  { job_id, epoch }: Lease,
  seq: number,
  ...events: (string | Reported)[]
): Promise<WorkerReportAnswer> {
  const body = { epoch, seq, events: events.map((event) => (typeof event === 'string' ? { type: event } : event)) };
  return (await instance.request(routes.reportWorkerJob, { caller: hostedCaller, params: { job_id }, body })).body;
}

export async function complete(
  instance: Instance,
  { job_id, epoch }: Lease,
  transcript?: object,
  classification?: string,
  recording?: object,
  mailbox_proof?: 'beep',
): Promise<WorkerCompleteAnswer> {
  const body = { epoch, transcript, classification, recording, mailbox_proof };
  return (await instance.request(routes.completeWorkerJob, { caller: hostedCaller, params: { job_id }, body })).body;
}

export async function read(
  instance: Instance,
  { organizationId }: Pick<AgentForCall, 'organizationId'>,
  callId: string,
): Promise<CallRecord> {
  const request = { caller: customerCaller(organizationId), params: { call_id: callId } };
  return (await instance.request(routes.getCall, request)).body;
}

export async function cancelCall(
  instance: Instance,
  organizationId: string,
  callId: string,
  caller = customerCaller(organizationId),
): Promise<CallRecord> {
  const request = { caller, organizationId, params: { call_id: callId } };
  return (await instance.request(routes.cancelCall, request)).body;
}

export async function resolveReview(
  instance: Instance,
  organizationId: string,
  callId: string,
  decision = 'approve',
  rest: object = {},
  caller = reviewer(organizationId),
): Promise<CallRecord> {
  const request = { caller, params: { call_id: callId }, body: { decision, ...rest } };
  return (await instance.request(routes.resolveReview, request)).body;
}
