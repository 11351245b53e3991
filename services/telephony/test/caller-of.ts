import { createHash } from 'node:crypto';
import type { AgentForCall } from '@parley/proto/agents';
import type { Document } from '@parley/proto/common';
import type { Job } from '@parley/proto/telephony';
import { documentOf, jsonOf, type Caller, type OutgoingContext } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import type { CallRecord } from '@parley/contract';
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
  { client }: Instance,
  agent: AgentForCall,
  phoneNumber = freshNumber(),
): Promise<string> {
  const { organizationId, projectId } = agent;
  const request = {
    organizationId,
    projectId,
    phoneNumber,
    provider: 'simulator',
    inboundAgentId: '',
    idempotency: undefined,
  };
  await client.createNumber(request, customer(organizationId));
  return phoneNumber;
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
  { client }: Instance,
  agent: AgentForCall,
  { to = '+15005550006', key = '', body = {} }: PlacedCall = {},
) {
  const json = JSON.stringify({ agent_id: agent.agentId, to, ...body });
  const response = await client.createCall(
    {
      organizationId: agent.organizationId,
      body: documentOf('CallCreate', json),
      idempotency: { key, route: 'create-call', fingerprint: createHash('sha256').update(json).digest() },
    },
    customer(agent.organizationId),
  );
  return { ...response, call: recordOf(response) };
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

export async function read({ client }: Instance, agent: AgentForCall, callId: string): Promise<CallRecord> {
  return recordOf(
    await client.getCall({ organizationId: agent.organizationId, callId }, customer(agent.organizationId)),
  );
}
