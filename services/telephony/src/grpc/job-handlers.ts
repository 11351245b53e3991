import { RecordingUpload, Transcript, validate } from '@parley/contract';
import { badRequest } from '@parley/errors';
import type { Document } from '@parley/proto/common';
import type { Job } from '@parley/proto/telephony';
import { documentOf, jsonOf } from '@parley/runtime';
import { recordingOf } from '../domain/recording-of';
import { renderCall } from '../domain/render-call';
import { claimJobs, type ClaimedWork } from '../usecases/claim-jobs';
import { completeJob } from '../usecases/complete-job';
import { heartbeat } from '../usecases/heartbeat';
import { reportJob } from '../usecases/report-job';
import type { Handled, Handlers } from './handled';
import { reachOfWorker, refuseForeignKinds } from './reach';

/** Below the longest deadline of a call between services (30 s), so that an answer arrives before it. */
const longestWaitSeconds = 25;

export function jobHandlers(handled: Handled): Handlers<'claimJobs' | 'heartbeat' | 'reportJob' | 'completeJob'> {
  const { telephony, queue, configurations, draining } = handled;
  const { leaseSeconds } = telephony.settings;
  return {
    async claimJobs(request, context) {
      const organizationId = reachOfWorker(request.organizationId, context);
      if (request.capacity < 1 || request.capacity > 100) throw badRequest('capacity must be 1 to 100');
      const { kinds, workerId, capacity } = request;
      refuseForeignKinds(kinds, context);
      const waitMs = Math.min(Math.max(request.waitSeconds, 0), longestWaitSeconds) * 1000;
      const claim = { organizationId, kinds, workerId, capacity, waitMs };
      // A worker that waits while this process drains is answered with no job, and asks another one.
      const signal = AbortSignal.any([context.signal, draining]);
      const work = await claimJobs(telephony, queue, configurations, claim, { ...context, signal });
      return { jobs: work.map((job) => jobOf(job, leaseSeconds)) };
    },
    async heartbeat(request, context) {
      const organizationId = reachOfWorker(request.organizationId, context);
      return { leases: await heartbeat(telephony, organizationId, request.leases) };
    },
    async reportJob(request, context) {
      const { jobId, epoch, seq, events, refusal } = request;
      const organizationId = reachOfWorker(request.organizationId, context);
      return reportJob(telephony, { organizationId, jobId, epoch, seq, events, refusal }, context);
    },
    async completeJob(request, context) {
      const { jobId, epoch, classification, classificationDetail, refusal } = request;
      const organizationId = reachOfWorker(request.organizationId, context);
      const artifacts = () => ({
        transcript: transcriptOf(request.transcript),
        recording: recordingIn(request.recording),
      });
      const input = { organizationId, jobId, epoch, artifacts, classification, classificationDetail, refusal };
      return { callStatus: await completeJob(telephony, input, context) };
    },
  };
}

/** The JSON to keep of a transcript that a worker handed in; undefined for none. */
export function transcriptOf(document: Document | undefined): string | undefined {
  if (document === undefined || document.json.length === 0) return undefined;
  return JSON.stringify(validate(Transcript, jsonOf<unknown>(document), { unknown: 'ignore' }).value);
}

/** As `transcriptOf`. */
export function recordingIn(document: Document | undefined): ReturnType<typeof recordingOf> | undefined {
  if (document === undefined || document.json.length === 0) return undefined;
  return recordingOf(validate(RecordingUpload, jsonOf<unknown>(document), { unknown: 'ignore' }).value);
}

function jobOf(work: ClaimedWork, leaseSeconds: number): Job {
  return {
    jobId: work.jobId,
    kind: work.kind,
    epoch: work.epoch,
    leaseSeconds,
    call: documentOf('CallRecord', renderCall(work.call)),
    runtimeConfiguration: documentOf('RuntimeConfiguration', work.runtimeConfiguration),
  };
}
