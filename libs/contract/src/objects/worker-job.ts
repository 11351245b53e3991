import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsInt, Min } from 'class-validator';
import { carrierNames, isAccountCarrier } from '../carriers';
import { jobEventTypes, type JobEventType } from '../events';
import { IntWithin, JsonObjectWithin, Text } from '../rules/constraints';
import {
  Closed,
  Describe,
  DescribeObject,
  Example,
  ListOf,
  Nested,
  Nullable,
  Optional,
  Required,
  Rule,
  Secret,
} from '../rules/decorators';
import { CallProblem, CallRecord, callStatuses, Transcript, type CallStatus } from './call';
import { longestCallMs, mailboxProofs, NavigationTimes, type MailboxProof } from './call-evidence';
import { WorkerCapabilities } from './capabilities';
import { reasonDetailForm, type ReasonDetail } from './call-codes';
import { endedReasons, noOldDetail, type EndedReason } from './ended-reasons';
import { idText, OrganizationName } from './fields';
import { WorkerResume } from './hand-over';
import { RecordingUpload, mostInputLogCharacters } from './recording';

export const jobKinds = ['call', 'simulation'] as const;
export type JobKind = (typeof jobKinds)[number];

export const workerId = { min: 1, max: 128 };
const maxLeases = 1000;
const maxSlots = 1000;
const slotsMeaning = 'Telephone lines that a hosted worker adopts at most, with those that it conducts; absent: none.';

@DescribeObject('Body of POST /v1/worker-jobs/claim, which is a long poll.')
export class WorkerJobClaim extends OrganizationName {
  @Required()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(jobKinds, { each: true })
  @Describe('Jobs of the kind `simulation` are claimed by POST /v1/simulation-jobs/claim; there are none here.')
  kinds!: JobKind[];
  @Required() @IntWithin({ min: 1, max: 100 }) @Describe('How many jobs the worker can take now.') capacity!: number;
  @Required() @Text(workerId) worker_id!: string;
  @Optional() @IntWithin({ min: 0, max: 30 }) wait_seconds?: number;
  @Optional()
  @Nested(() => WorkerCapabilities)
  @Describe('What the worker can do. Absent: only calls of the simulator, in the cascade of simulated components.')
  capabilities?: WorkerCapabilities;
  @Optional() @IntWithin({ min: 0, max: maxSlots }) @Describe(slotsMeaning) line_slots?: number;
}

/** Enough for a call of an agent with simulated components on a line of a carrier. */
const ofAdopter: WorkerCapabilities = {
  carriers: carrierNames.filter(isAccountCarrier),
  modes: ['hosted'],
  engines: ['cascade'],
  providers: { stt: ['offline'], llm: ['simulator'], tts: ['offline'] },
  tools: ['end_call', 'transfer_call'],
  controls: ['say', 'transfer'],
};

@DescribeObject('The first and only claim of the call that a token belongs to.')
export class WorkerJobAdopt extends OrganizationName {
  @Required() @Secret() @Text({ min: 1, max: 128 }) token!: string;
  @Required() @Text(workerId) worker_id!: string;
  @Required() @Nested(() => WorkerCapabilities) @Example(ofAdopter) capabilities!: WorkerCapabilities;
}

@DescribeObject('A lease: every write under it carries the fencing epoch.')
@Closed(false)
export class WorkerLease {
  @Required() @Text(idText) job_id!: string;
  @Required() @IsInt() @Min(1) epoch!: number;
}

@DescribeObject('POST /v1/worker-jobs/heartbeat.')
export class WorkerJobHeartbeat extends OrganizationName {
  @Required() @Text(workerId) worker_id!: string;
  @Required() @ArrayMaxSize(maxLeases) @ListOf(() => WorkerLease) leases!: WorkerLease[];
  @Optional() @IntWithin({ min: 0, max: maxSlots }) @Describe(slotsMeaning) line_slots?: number;
}

@DescribeObject('What happened on the line. Reasons go with ended and failed.')
@Closed(false)
@Rule<WorkerJobEvent>(noOldDetail)
export class WorkerJobEvent {
  @Required() @IsIn(jobEventTypes) type!: JobEventType;
  @Optional() @IsIn(endedReasons) ended_reason?: EndedReason;
  @Optional() @Text({ pattern: reasonDetailForm }) reason_detail?: ReasonDetail;
  @Optional()
  @IntWithin({ min: 0, max: longestCallMs })
  @Describe('Milliseconds of call time since the answer; only of calls of the simulator.')
  elapsed_ms?: number;
  @Optional()
  @ArrayMaxSize(50)
  @ListOf(() => CallProblem)
  @Describe('What could not be done in the call.')
  problems?: CallProblem[];
  @Optional()
  @Nested(() => NavigationTimes)
  @Describe('Goes with the end of an outbound call that navigates: the time spent in menus and on hold, in call time.')
  navigation?: NavigationTimes;
  @Optional()
  @IntWithin({ min: 0, max: 3_600_000 })
  @Describe('How long before this report it happened, at most an hour.')
  age_ms?: number;
}

@DescribeObject('A repeated seq changes nothing and is answered as the first was.')
export class WorkerJobReport extends OrganizationName {
  @Required() @IsInt() @Min(1) epoch!: number;
  @Required() @IsInt() @Min(1) seq!: number;
  @Required() @ArrayMinSize(1) @ArrayMaxSize(20) @ListOf(() => WorkerJobEvent) events!: WorkerJobEvent[];
}

@DescribeObject('POST /v1/worker-jobs/{job_id}/complete.')
export class WorkerJobComplete extends OrganizationName {
  @Required() @IsInt() @Min(1) epoch!: number;
  @Optional() @Nullable() @Nested(() => Transcript) transcript?: Transcript | null;
  @Optional()
  @Nullable()
  @Nested(() => RecordingUpload)
  @Describe('Stored if the call is recorded; otherwise ignored.')
  recording?: RecordingUpload | null;
  @Optional()
  @Text({ max: 64 })
  @Describe('Who answered. Refused if the agent switched that detection off.')
  classification?: string;
  @Optional() @Text({ max: 300 }) classification_detail?: string;
  @Optional()
  @IsIn(mailboxProofs)
  @Describe('What proved the mailbox; only with the classification `voicemail`, or with proof_withdrawn_by.')
  mailbox_proof?: MailboxProof;
  @Optional()
  @Text({ min: 1, max: 64 })
  @Describe('The turn of a person after which the proof does not count.')
  proof_withdrawn_by?: string;
  @Optional()
  @Text({
    min: 4,
    max: mostInputLogCharacters,
    pattern: /^[A-Za-z0-9+/]+={0,2}$/,
    description: 'base64 with its padding',
  })
  @Describe('What the engine kept for a replay; opaque to the platform.')
  input_log?: string;
}

@DescribeObject('One claimed job.')
export class WorkerJob {
  @Required() @Text() job_id!: string;
  @Required() @IsIn(jobKinds) kind!: JobKind;
  @Required() @IsInt() epoch!: number;
  @Required() @IsInt() lease_seconds!: number;
  @Required() @Nested(() => CallRecord) call!: CallRecord;
  @Required() @JsonObjectWithin(1024 * 1024) @Describe('RuntimeConfiguration.') runtime_configuration!: Record<
    string,
    unknown
  >;
  @Optional()
  @Nested(() => WorkerResume)
  @Describe('Where an adopted call of another worker continues. Absent: it begins.')
  resume?: WorkerResume;
}

export class WorkerJobsClaimed {
  @Required() @ListOf(() => WorkerJob) jobs!: WorkerJob[];
  @Required()
  @IsArray()
  @Text({}, { each: true })
  @Describe('Ed25519 keys. The token of a media connection is 16 bytes and their signature by one of them.')
  token_keys!: string[];
}

@DescribeObject('The state of a lease.')
export class WorkerLeaseState extends WorkerLease {
  @Required() @IsIn(['held', 'lost']) state!: 'held' | 'lost';
  @Required() @IsBoolean() cancel_requested!: boolean;
}

export class WorkerHeartbeatAnswer {
  @Required() @ListOf(() => WorkerLeaseState) leases!: WorkerLeaseState[];
}

export class WorkerReportAnswer {
  @Required() @IsIn(callStatuses) call_status!: CallStatus;
  @Required() @IsBoolean() cancel_requested!: boolean;
}

export class WorkerCompleteAnswer {
  @Required() @IsIn(callStatuses) call_status!: CallStatus;
}
