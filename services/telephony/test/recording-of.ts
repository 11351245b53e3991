import { createHash, randomBytes } from 'node:crypto';
import {
  routes,
  type CallRecord,
  type RecordingPartRecord,
  type RecordingUploadRecord,
  type WorkerJob,
} from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { jsonOf } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { addNumber, as, claimOne, hostedCaller, place, report } from './test-caller';
import { gatewayCaller } from './gateway-of';
import type { Instance, UnderTest } from './telephony-under-test';

/** Audio of this many bytes, different for each part. */
export const soundOf = (bytes: number): Buffer => randomBytes(bytes);

export const sha256Of = (...bytes: readonly Buffer[]): string =>
  createHash('sha256').update(Buffer.concat(bytes)).digest('hex');

export interface RecordedCall {
  readonly agent: AgentForCall;
  readonly call: CallRecord;
  readonly job: WorkerJob;
}

/** A call in progress, conducted by a worker. */
export async function talkedCall(
  under: UnderTest,
  instance: Instance,
  { recordingEnabled = true, events = ['dialing', 'answered'] as readonly string[] } = {},
): Promise<RecordedCall> {
  const agent = under.fakes.addAgent({ recordingEnabled });
  await addNumber(instance, agent);
  const { call } = await place(instance, agent);
  const job = await claimOne(instance);
  expect(job.call.call_id).toBe(call.call_id);
  if (events.length > 0) await report(instance, job, 1, ...events);
  return { agent, call, job };
}

export async function putPart(
  instance: Instance,
  { job_id: jobId, epoch }: Pick<WorkerJob, 'job_id' | 'epoch'>,
  part: number | string,
  content: Buffer,
  caller = hostedCaller,
): Promise<RecordingPartRecord> {
  const request = { organizationId: caller.organizationId, jobId, part: String(part), epoch: String(epoch), content };
  return jsonOf((await instance.client.putRecordingPart(request, as(caller))).document);
}

export async function putGatewayPart(
  instance: Instance,
  { organizationId, callId }: { readonly organizationId: string; readonly callId: string },
  part: number,
  content: Buffer,
  caller = gatewayCaller(organizationId),
): Promise<RecordingPartRecord> {
  const request = { organizationId, callId, part: String(part), content };
  return jsonOf((await instance.client.putGatewayRecordingPart(request, as(caller))).document);
}

/** The worker's final list of its parts; `change` sets what is wrong in it. */
export const togetherOf = (parts: readonly Buffer[], change: object = {}) => ({
  parts: parts.length,
  format: 'mulaw',
  duration_ms: Math.round(Buffer.concat(parts).length / 16),
  sha256: sha256Of(...parts),
  ...change,
});

export async function completeParts(
  instance: Instance,
  { job_id, epoch }: Pick<WorkerJob, 'job_id' | 'epoch'>,
  parts: readonly Buffer[],
  change: object = {},
): Promise<RecordingUploadRecord> {
  const body = { epoch, ...togetherOf(parts, change) };
  return (await instance.request(routes.completeRecording, { caller: hostedCaller, params: { job_id }, body })).body;
}

export async function recordingOf(instance: Instance, organizationId: string, callId: string) {
  const request = { caller: customerCaller(organizationId), params: { call_id: callId } };
  return (await instance.request(routes.getRecording, request)).body;
}

/** A range of bytes of the audio, as the gateway requests it. */
export const audioOf = (
  instance: Instance,
  organizationId: string,
  callId: string,
  from = 0,
  most = 0,
  format: 'wav' | '' = '',
) =>
  instance.client.readRecordingAudio(
    { organizationId, callId, from: String(from), most, format },
    as(customerCaller(organizationId)),
  );

/** The complete audio, read in ranges. */
export async function wholeAudioOf(
  instance: Instance,
  organizationId: string,
  callId: string,
  format: 'wav' | '' = '',
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = 0; ;) {
    const { content } = await audioOf(instance, organizationId, callId, at, 1024 * 1024, format);
    if (content.length === 0) return Buffer.concat(pieces);
    pieces.push(Buffer.from(content));
    at += content.length;
  }
}
