import type { CallStatus, WorkerJob } from '@parley/contract';

const simulated = { provider: 'simulator', model: 'sim' };

export const publication = {
  version: 1,
  voice_frontend: 'cascade',
  language: 'en-US',
  languages: [],
  profiles: [],
  starting_language: null,
  follow_caller: null,
  system_prompt: 'You are the receptionist of {{brand}}.',
  first_message: 'Good morning, this is {{brand}}.',
  transcriber: simulated,
  model: simulated,
  voice: simulated,
  tools: [],
  translation: null,
};

export interface JobChange {
  readonly effective?: Record<string, unknown>;
  readonly publication?: Record<string, unknown>;
  readonly tuning?: Record<string, unknown>;
  /** Default: hosted. */
  readonly mode?: string;
  readonly leaseSeconds?: number;
  readonly epoch?: number;
  /** The spend cap of the call, in seconds. */
  readonly spendCapSeconds?: number;
  /** The pace of a simulated call. Default: instant. */
  readonly pace?: 'instant' | 'real_time';
}

/** A claimed job to a number, or of a test call if it is empty, as the platform sends it, without fields that a worker does not read. */
export function jobTo(to: string, jobId = 'job_1', change: JobChange = {}): WorkerJob {
  const call: Pick<
    WorkerJob['call'],
    'call_id' | 'carrier' | 'direction' | 'from' | 'to' | 'language' | 'simulator_pace'
  > & {
    status: CallStatus;
  } = {
    call_id: `call_of_${jobId}`,
    carrier: to === '' ? null : 'simulator',
    direction: to === '' ? 'inbound' : 'outbound',
    from: '+15005550100',
    to,
    language: 'en-US',
    status: 'queued',
    simulator_pace: change.pace ?? 'instant',
  };
  const job: Omit<WorkerJob, 'call'> = {
    job_id: jobId,
    kind: 'call',
    epoch: change.epoch ?? 1,
    lease_seconds: change.leaseSeconds ?? 15,
    runtime_configuration: {
      publication: { ...publication, ...change.publication },
      tuning: { ...change.tuning },
      effective: change.effective ?? {},
      variables: { brand: 'Acme' },
      mode: change.mode ?? 'hosted',
      ...(change.spendCapSeconds === undefined ? {} : { spend_cap_seconds: change.spendCapSeconds }),
    },
  };
  // Through JSON, as over HTTP.
  return JSON.parse(JSON.stringify({ ...job, call })) as WorkerJob;
}
