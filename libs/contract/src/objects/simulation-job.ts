import { ArrayMaxSize, IsBoolean, IsIn, IsInt, Min } from 'class-validator';
import { IntWithin, JsonObjectWithin, Text } from '../rules/constraints';
import { Describe, DescribeObject, ListOf, Nested, Optional, Required } from '../rules/decorators';
import { WorkerProviders } from './capabilities';
import { LeasedCredential } from './component-credential';
import { OrganizationName } from './fields';
import { SimulationConversation } from './simulation';
import { SimulationScenario } from './simulation-scenario';

@DescribeObject('POST /v1/simulation-jobs/claim: a long poll.')
export class SimulationJobClaim extends OrganizationName {
  @Required() @IntWithin({ min: 1, max: 100 }) @Describe('How many jobs the worker can take now.') capacity!: number;
  @Required() @Text({ min: 1, max: 128 }) worker_id!: string;
  @Optional() @IntWithin({ min: 0, max: 20 }) @Describe('For the first.') wait_seconds?: number;
  @Optional()
  @Nested(() => WorkerProviders)
  @Describe('Requests only spoken conversations; the worker has components of these providers.')
  spoken?: WorkerProviders;
}

@DescribeObject('Conversations of one scenario that a worker is to have.')
export class SimulationJob {
  @Required() @Text() job_id!: string;
  @Required() @IsIn(['simulation']) @Describe('Always `simulation`.') kind!: 'simulation';
  @Required() @IsInt() epoch!: number;
  @Required() @IsInt() lease_seconds!: number;
  @Required() @Text() organization_id!: string;
  @Required() @Text() agent_id!: string;
  @Required() @Text() simulation_run_id!: string;
  @Required() @JsonObjectWithin(1024 * 1024) @Describe('RuntimeConfiguration.') runtime_configuration!: Record<
    string,
    unknown
  >;
  @Required() @Nested(() => SimulationScenario) @Describe('What is to be had.') scenario!: SimulationScenario;
  @Required() @IsInt() @Describe('The number of the first conversation, from 1 on.') first_repetition!: number;
  @Required() @IsInt() @Describe('How many conversations.') repetitions!: number;
  @Optional() @IsBoolean() @Describe('To be had with sound, in real time.') spoken?: boolean;
}

@DescribeObject('The jobs that were leased to the worker; empty where none came while it waited.')
export class SimulationJobsClaimed {
  @Required() @ListOf(() => SimulationJob) @Describe('20 at most.') jobs!: SimulationJob[];
}

@DescribeObject('Keeps the lease; without conversations it does nothing else.')
export class SimulationJobReport extends OrganizationName {
  @Required() @IsInt() @Min(1) epoch!: number;
  @Required()
  @ArrayMaxSize(50)
  @ListOf(() => SimulationConversation)
  @Describe('Conversations that are over; each counts once.')
  conversations!: SimulationConversation[];
  @Optional() @IsBoolean() @Describe('All conversations of the job were reported.') done?: boolean;
}

@DescribeObject('Where the run stands after the report.')
export class SimulationJobAnswer {
  @Required() @IsBoolean() @Describe('The run is over: no further conversation is wanted.') canceled!: boolean;
}

@DescribeObject(
  'The accounts of the language model; of a spoken job, of transcribers and voices too. Not to be stored or logged.',
)
export class SimulationCredentials {
  @Required() @ListOf(() => LeasedCredential) components!: LeasedCredential[];
}
