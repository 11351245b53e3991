import type { AgentForCall } from '@parley/proto/agents';
import type { Document } from '@parley/proto/common';
import type { Job } from '@parley/proto/telephony';
import { documentOf, jsonOf, type Caller, type OutgoingContext } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { routes, type CallRecord, type NumberRecord } from '@parley/contract';
import type { Instance } from './telephony-under-test';

/** A hosted worker's credential: no organization, job scopes alone. */
export const hostedCaller: Caller = {
  keyId: 'key_00000000000000000000000009',
  organizationId: '',
  kind: 'hosted',
  scopes: ['worker_jobs:claim', 'worker_jobs:heartbeat'],
};

/** The hosted simulation runner's. */
export const simulationCaller: Caller = { ...hostedCaller, kind: 'hosted_simulation' };

export const as = (caller: Caller): OutgoingContext => ({ caller, requestId: 'test' });
export const hosted = as(hostedCaller);
export const customer = (organizationId: string): OutgoingContext => as(customerCaller(organizationId));

export const recordOf = (response: { document?: Document | undefined }): CallRecord => jsonOf(response.document);
export const callOfJob = (job: Job): CallRecord => jsonOf(job.call);

/** A number of the agent's project to call from. */
export async function addNumber(
  instance: Instance,
  { organizationId, projectId }: Pick<AgentForCall, 'organizationId' | 'projectId'>,
  phoneNumber = freshNumber(),
  { provider = 'simulator', inboundAgentId = null }: { provider?: string; inboundAgentId?: string | null } = {},
): Promise<string> {
  const body = {
    organization_id: organizationId,
    project_id: projectId,
    phone_number: phoneNumber,
    provider,
    inbound_agent_id: inboundAgentId,
  };
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
/** A number that no test of this file was given: who holds a number holds it alone, and random ones meet now and then. */
export const freshNumber = (): string => `+1415${(numbers += 1)}`;

export interface PlacedCall {
  readonly to?: string;
  readonly key?: string;
  readonly body?: Record<string, unknown>;
}

/** POST /v1/calls as the gateway sends it on. */
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

/** Claims as a hosted worker. */
export async function claim({ client }: Instance, capacity = 1, waitSeconds = 0): Promise<Job[]> {
  const request = { organizationId: '', kinds: ['call'], capacity, workerId: 'w1', waitSeconds };
  return (await client.claimJobs(request, hosted, { deadlineMs: 30_000 })).jobs;
}

export async function claimOne(instance: Instance, waitSeconds = 20): Promise<Job> {
  const [job] = await claim(instance, 1, waitSeconds);
  if (job === undefined) throw new Error('no job was claimed');
  return job;
}

export interface Reported {
  readonly type: string;
  readonly endedReason?: string;
  readonly reasonDetail?: string;
}

export function report(
  { client }: Instance,
  job: Pick<Job, 'jobId' | 'epoch'>,
  seq: number,
  ...events: (string | Reported)[]
) {
  const { jobId, epoch } = job;
  return client.reportJob(
    {
      organizationId: '',
      jobId,
      epoch,
      seq: String(seq),
      events: events.map((event) => ({
        endedReason: '',
        reasonDetail: '',
        ...(typeof event === 'string' ? { type: event } : event),
      })),
    },
    hosted,
  );
}

export function complete(
  { client }: Instance,
  job: Pick<Job, 'jobId' | 'epoch'>,
  transcript?: object,
  classification = '',
  recording?: object,
) {
  const { jobId, epoch } = job;
  return client.completeJob(
    {
      organizationId: '',
      jobId,
      epoch,
      transcript: transcript === undefined ? undefined : documentOf('Transcript', transcript),
      classification,
      classificationDetail: '',
      recording: recording === undefined ? undefined : documentOf('RecordingUpload', recording),
    },
    hosted,
  );
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
): Promise<CallRecord> {
  const caller = customerCaller(organizationId);
  const request = { caller, params: { call_id: callId }, body: { decision, ...rest } };
  return (await instance.request(routes.resolveReview, request)).body;
}
