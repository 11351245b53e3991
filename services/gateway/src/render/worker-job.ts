import {
  callStatuses,
  type WorkerCompleteAnswer,
  type WorkerHeartbeatAnswer,
  type WorkerLeaseState,
  type WorkerReportAnswer,
} from '@parley/contract';
import type {
  CompleteJobResponse,
  HeartbeatResponse,
  Job,
  LeaseState,
  ReportJobResponse,
} from '@parley/proto/telephony';
import { oneOf } from './one-of';
import { present } from './present';

const leaseStates = ['held', 'lost'] as const;

/**
 * The claimed jobs as JSON text. Call and runtime configuration are documents of 10 KB and more: their text is put into the
 * answer as it came, not parsed and written again.
 */
export function claimedJobs(jobs: readonly Job[]): Buffer {
  const parts: Buffer[] = [Buffer.from('{"jobs":[')];
  jobs.forEach((job, index) => {
    const head = JSON.stringify({
      job_id: job.jobId,
      kind: job.kind,
      epoch: Number(job.epoch),
      lease_seconds: job.leaseSeconds,
    });
    parts.push(
      Buffer.from(`${index === 0 ? '' : ','}${head.slice(0, -1)},"call":`),
      present(job.call, 'call').json,
      Buffer.from(',"runtime_configuration":'),
      present(job.runtimeConfiguration, 'runtime configuration').json,
      Buffer.from('}'),
    );
  });
  parts.push(Buffer.from(']}'));
  return Buffer.concat(parts);
}

export const heartbeatAnswer = ({ leases }: HeartbeatResponse): WorkerHeartbeatAnswer => ({
  leases: leases.map(leaseState),
});

const leaseState = (lease: LeaseState): WorkerLeaseState => ({
  job_id: lease.jobId,
  epoch: Number(lease.epoch),
  state: oneOf(leaseStates, lease.state),
  cancel_requested: lease.cancelRequested,
});

export const reportAnswer = (response: ReportJobResponse): WorkerReportAnswer => ({
  call_status: oneOf(callStatuses, response.callStatus),
  cancel_requested: response.cancelRequested,
});

export const completeAnswer = (response: CompleteJobResponse): WorkerCompleteAnswer => ({
  call_status: oneOf(callStatuses, response.callStatus),
});
