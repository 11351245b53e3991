import { ArrayMaxSize, IsBoolean, IsIn, IsInt } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, Text } from '../rules/constraints';
import {
  Closed,
  Describe,
  DescribeObject,
  Example,
  Ignores,
  ListOf,
  Nested,
  Nullable,
  Optional,
  Required,
  Rule,
} from '../rules/decorators';
import { idText, WorkspaceNames } from './fields';
import { ListQuery, pageOf, ProjectListQuery, RouteQuery } from './page';
import { scenarioName, SimulationAssertion, simulationLimits, SimulationScenario } from './simulation-scenario';
import { TranscriptTurn } from './transcript';

const suiteName = { min: 1, max: limits.name.max };
const readOnlyOfSuite = ['simulation_suite_id', 'created_at', 'updated_at', 'revision'] as const;

@DescribeObject('POST /v1/simulation-suites.')
@Ignores(...readOnlyOfSuite)
export class SimulationSuiteCreate {
  @Optional() @Text({ max: 64 }) organization_id?: string;
  @Required() @Text(idText) project_id!: string;
  @Required() @Text(idText) agent_id!: string;
  @Required() @Text(suiteName) name!: string;
  @Required()
  @ArrayMaxSize(simulationLimits.scenarios)
  @ListOf(() => SimulationScenario)
  @Describe('Conversations to be had.')
  scenarios!: SimulationScenario[];
}

@DescribeObject('Fields that are absent stay.')
@Ignores(...readOnlyOfSuite, 'agent_id')
export class SimulationSuiteUpdate extends WorkspaceNames {
  @Optional() @Text(suiteName) @Example('Opening hours') name?: string;
  @Optional()
  @ArrayMaxSize(simulationLimits.scenarios)
  @ListOf(() => SimulationScenario)
  @Describe('Replaces all.')
  scenarios?: SimulationScenario[];
}

@DescribeObject('Scenarios that an agent is tried with.')
export class SimulationSuite {
  @Required() @Text() simulation_suite_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() project_id!: string;
  @Required() @Text() agent_id!: string;
  @Required() @Text() name!: string;
  @Required()
  @Example([])
  @ListOf(() => SimulationScenario)
  @Describe('Conversations to be had.')
  scenarios!: SimulationScenario[];
  @Required() @IsInt() revision!: number;
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

export const SimulationSuitePage = pageOf(SimulationSuite);
export class SimulationSuiteListQuery extends ProjectListQuery {}

@DescribeObject('POST /v1/simulation-suites/{simulation_suite_id}/scenarios.')
export class SimulationImport {
  @Required() @Text(idText) @Describe('A call of the agent that is over, with its transcript.') call_id!: string;
  @Optional() @Text(scenarioName) @Describe('Default: the id of the call.') name?: string;
}

export const simulationTargets = ['published', 'draft', 'version'] as const;

const versionOfType = ({ type, version }: SimulationTarget): string | undefined =>
  (type === 'version') === (version !== undefined)
    ? undefined
    : 'version is required for the type version, and not allowed otherwise';

@DescribeObject(
  'What is tried: the agent as published, its stored configuration and workflow draft, or an earlier publication.',
)
@Closed(false)
@Rule(versionOfType)
export class SimulationTarget {
  @Required() @IsIn(simulationTargets) @Example('published') type!: (typeof simulationTargets)[number];
  @Optional() @IntWithin({ min: 1, max: 2_147_483_647 }) version?: number;
}

@DescribeObject('POST /v1/simulation-suites/{simulation_suite_id}/runs.')
export class SimulationRunCreate extends WorkspaceNames {
  @Optional()
  @IntWithin({ min: 1, max: simulationLimits.repetitions })
  @Describe('Per scenario; default: 1. At most 5,000 conversations in total.')
  repetitions?: number;
  @Optional() @Nested(() => SimulationTarget) @Describe('Default: published.') target?: SimulationTarget;
  @Optional() @IsBoolean() @Describe('With sound, in real time.') spoken?: boolean;
}

export const simulationRunStatuses = ['queued', 'running', 'completed', 'canceled'] as const;
export type SimulationRunStatus = (typeof simulationRunStatuses)[number];

@DescribeObject('How an assertion stands over all repetitions.')
export class SimulationAssertionResult {
  @Required() @Nested(() => SimulationAssertion) @Describe('As in the suite.') assertion!: SimulationAssertion;
  @Required() @IsInt() @Describe('Repetitions in which it did not hold.') failed!: number;
  @Required() @Text() @Describe('What was found in the first of them; empty if it held.') detail!: string;
}

@DescribeObject('The results of a scenario.')
export class SimulationScenarioResult {
  @Required() @Text() @Describe('Its name.') scenario!: string;
  @Required() @IsInt() @Describe('Conversations that are over.') conversations!: number;
  @Required() @IsInt() @Describe('Repetitions that passed.') passed!: number;
  @Required() @IsInt() @Describe('Repetitions that failed.') failed!: number;
  @Required()
  @ListOf(() => SimulationAssertionResult)
  @Describe('In order.')
  assertions!: SimulationAssertionResult[];
}

@DescribeObject('An assertion with another result than in the earlier run; it holds if it holds in every repetition.')
export class SimulationDifference {
  @Required() @Text() @Describe('Its name.') scenario!: string;
  @Required() @Nested(() => SimulationAssertion) @Describe('As in the suite.') assertion!: SimulationAssertion;
  @Required() @IsIn(['regression', 'fixed']) @Describe('The kind of change.') change!: 'regression' | 'fixed';
  @Required() @Text() detail!: string;
}

@DescribeObject('A run of a suite, and how far it is.')
export class SimulationRunSummary {
  @Required() @Text() simulation_run_id!: string;
  @Required() @Text() simulation_suite_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() agent_id!: string;
  @Required() @IsIn(simulationRunStatuses) status!: SimulationRunStatus;
  @Required() @Nested(() => SimulationTarget) @Describe('What is tested.') target!: SimulationTarget;
  @Required() @IsInt() @Describe('0: the agent was never published.') publication_version!: number;
  @Required() @IsInt() @Describe('Per scenario.') repetitions!: number;
  @Required() @IsBoolean() @Describe('With sound.') spoken!: boolean;
  @Required() @IsBoolean() @Describe('A script answered in place of a language model.') simulated_model!: boolean;
  @Required() @Nullable() @IsBoolean() @Describe('Null until it is completed.') passed!: boolean | null;
  @Required() @IsInt() @Describe('Conversations of the run.') conversations!: number;
  @Required() @IsInt() @Describe('Completed ones.') done!: number;
  @Required() @IsInt() @Describe('Those with a failed assertion.') failed!: number;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() finished_at!: string | null;
}
export const SimulationRunSummaryPage = pageOf(SimulationRunSummary);
export class SimulationRunListQuery extends ListQuery {}

@DescribeObject('A run of a suite, and its report.')
export class SimulationRun extends SimulationRunSummary {
  @Required()
  @Example([])
  @ListOf(() => SimulationScenarioResult)
  @Describe('Per scenario.')
  results!: SimulationScenarioResult[];
  @Required()
  @Nullable()
  @Example(null)
  @ListOf(() => SimulationDifference)
  @Describe('Changes since the run `against`; null without it.')
  differences!: SimulationDifference[] | null;
}

@DescribeObject("An assertion's result in one conversation.")
@Closed(false)
export class SimulationVerdict {
  @Required() @IntWithin({ min: 0, max: 49 }) @Describe('Its index in the scenario.') assertion!: number;
  @Required() @IsBoolean() @Describe('Whether it passed.') passed!: boolean;
  @Required() @Text({ max: 2_000 }) @Describe('What was found; for `judged` the reason.') detail!: string;
}

/** A worker's report on one conversation. */
@DescribeObject('One conversation.')
@Closed(false)
export class SimulationConversation {
  @Required()
  @IntWithin({ min: 1, max: simulationLimits.repetitions })
  @Describe('Counted from 1.')
  repetition!: number;
  @Required() @Text({ max: 64 }) ended_reason!: string;
  @Required() @Nullable() @Text({ max: 300 }) reason_detail!: string | null;
  @Required()
  @ArrayMaxSize(50)
  @ListOf(() => SimulationVerdict)
  @Describe('One per assertion.')
  verdicts!: SimulationVerdict[];
  @Required() @ArrayMaxSize(limits.reportedTurns) @ListOf(() => TranscriptTurn) turns!: TranscriptTurn[];
  @Required()
  @ArrayMaxSize(50)
  @Text({ max: 1_000 }, { each: true })
  @Describe('What the worker could not do.')
  problems!: string[];
}

@DescribeObject('One conversation of a run.')
export class SimulationResult extends SimulationConversation {
  @Required() @Text() @Describe('Its name.') scenario!: string;
  @Required() @IsBoolean() @Describe('Whether it passed.') passed!: boolean;
}
export const SimulationResultPage = pageOf(SimulationResult);

export class SimulationResultQuery extends ListQuery {
  @Optional() @Text(scenarioName) @Describe('Only of this scenario.') scenario?: string;
}

export class SimulationRunQuery extends RouteQuery {
  @Optional() @Text(idText) @Describe('An earlier run of the same suite.') against?: string;
}
