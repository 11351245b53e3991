import { IsArray, IsBoolean, IsIn, IsInt } from 'class-validator';
import { Text } from '../rules/constraints';
import { Describe, DescribeObject, Nullable, Optional, Required } from '../rules/decorators';
import { ListQuery, pageOf } from './page';
import { workerId } from './worker-job';

@DescribeObject('Workers that declared the same capabilities.')
export class WorkerGroup {
  @Required() @Nullable() @Text() @Describe('Whose workers they are; null: hosted ones.') organization_id!:
    string | null;
  @Required() @IsIn(['call', 'simulation']) @Describe('Which jobs they claim.') kind!: 'call' | 'simulation';
  @Required() @Text() @Describe('Names the declaration.') declaration!: string;
  @Required()
  @IsArray()
  @Text({}, { each: true })
  @Describe('What they declared, such as `mode:hosted`, `engine:cascade` or `tool:end_call`.')
  capabilities!: string[];
  @Required() @Text() @Describe('When one of them claimed last, within a minute.') last_seen_at!: string;
  @Required()
  @IsBoolean()
  @Describe('One of them was seen within 150 s, or holds a job.')
  present!: boolean;
  @Required() @IsInt() @Describe('Jobs that they hold.') jobs!: number;
  @Required()
  @IsArray()
  @Text({}, { each: true })
  @Describe('Ids of those with a job, at most 100.')
  worker_ids!: string[];
}

export const WorkerGroupPage = pageOf(WorkerGroup);

export const workerJobStates = ['queued', 'adoptable', 'leased', 'done'] as const;

@DescribeObject('What GET /v1/worker-jobs asks for.')
export class WorkerJobListQuery extends ListQuery {
  @Optional() @IsIn(workerJobStates) @Describe('The status of the job.') state?: (typeof workerJobStates)[number];
  @Optional() @Text(workerId) @Describe('Jobs that this worker holds now.') worker_id?: string;
}

@DescribeObject('A job as operators see it: without the call and its configuration.')
export class WorkerJobRecord {
  @Required() @Text() job_id!: string;
  @Required() @IsIn(['call', 'inbound']) @Describe('The kind of job.') kind!: 'call' | 'inbound';
  @Required()
  @IsIn(workerJobStates)
  @Describe(
    '`adoptable`: its line rings or waits for the process that has the stream. `done`: it is never given out again.',
  )
  state!: (typeof workerJobStates)[number];
  @Required() @Text() organization_id!: string;
  @Required() @Text() call_id!: string;
  @Required() @Text() agent_id!: string;
  @Required()
  @IsIn(['hosted', 'own', 'platform'])
  @Describe('Who gives the call a line: hosted workers, workers of the organization, or the platform.')
  dialer!: 'hosted' | 'own' | 'platform';
  @Required() @Nullable() @Text() @Describe('The worker that holds or held it last.') worker_id!: string | null;
  @Required() @IsInt() epoch!: number;
  @Required() @Text() @Describe('When it may be claimed.') available_at!: string;
  @Required() @Nullable() @Text() @Describe('When the lease expires.') lease_expires_at!: string | null;
  @Required() @Nullable() @Text() @Describe('When it was asked that the call end.') cancel_requested_at!: string | null;
  @Required() @Nullable() @Text() finished_at!: string | null;
}

export const WorkerJobRecordPage = pageOf(WorkerJobRecord);
