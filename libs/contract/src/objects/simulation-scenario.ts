import { ArrayMaxSize, IsIn } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, JsonObjectWithin, Text } from '../rules/constraints';
import {
  Closed,
  Describe,
  DescribeObject,
  Example,
  ListOf,
  Nested,
  Optional,
  Required,
  Rule,
} from '../rules/decorators';
import { endedReasons } from './ended-reasons';
import { Scalar } from './variables';

/** Limits of suites and runs. */
export const simulationLimits = {
  suites: 200,
  scenarios: 100,
  conversations: 5_000,
  repetitions: 500,
  runsUnderWay: 5,
  /** Spoken conversations take as long as calls. */
  spokenConversations: 50,
  spokenRunsUnderWay: 1,
  spokenSeconds: 300,
  suiteBytes: 512 * 1024,
} as const;

export const scenarioName = { min: 1, max: 100 };
const said = { min: 1, max: 1_000 };

export const simulationAssertionTypes = [
  'said',
  'not_said',
  'said_exactly',
  'said_matching',
  'judged',
  'tool_called',
  'tool_not_called',
  'ended_reason',
  'turns_at_most',
  'latency_at_most',
  'extraction_equals',
] as const;
export type SimulationAssertionType = (typeof simulationAssertionTypes)[number];

/** The required and optional fields of each assertion type. */
const fieldsOf: Readonly<
  Record<SimulationAssertionType, readonly [needed: readonly string[], optional?: readonly string[]]>
> = {
  said: [['text'], ['by']],
  not_said: [['text'], ['by']],
  said_exactly: [['text'], ['by']],
  said_matching: [['pattern'], ['by']],
  judged: [['rubric']],
  tool_called: [['name'], ['arguments']],
  tool_not_called: [['name']],
  ended_reason: [['is']],
  turns_at_most: [['turns']],
  latency_at_most: [['ms']],
  extraction_equals: [['path', 'value']],
};

const valueFields = [
  'text',
  'by',
  'pattern',
  'rubric',
  'name',
  'arguments',
  'is',
  'turns',
  'ms',
  'path',
  'value',
] as const;

function fieldsOfType(assertion: SimulationAssertion): string | undefined {
  const [needed, optional = []] = fieldsOf[assertion.type];
  for (const name of valueFields) {
    const isGiven = assertion[name] !== undefined;
    if (!isGiven && needed.includes(name)) return `${name} is required for the type ${assertion.type}`;
    if (isGiven && !needed.includes(name) && !optional.includes(name))
      return `${name} does not belong to the type ${assertion.type}`;
  }
  if (assertion.is !== undefined && !endedReasons.some((reason) => reason === assertion.is))
    return 'is must be an ended reason of calls';
  return undefined;
}

@DescribeObject('An assertion about a conversation; docs/simulations.md says which fields a type has.')
@Closed(false)
@Rule(fieldsOfType)
export class SimulationAssertion {
  @Required() @IsIn(simulationAssertionTypes) @Example('turns_at_most') type!: SimulationAssertionType;
  @Optional() @Text(said) text?: string;
  @Optional() @IsIn(['agent', 'callee']) @Describe('Whose turns count.') by?: 'agent' | 'callee';
  @Optional() @Text({ min: 1, max: 500 }) @Describe('A JavaScript regular expression.') pattern?: string;
  @Optional() @Text({ min: 1, max: 2_000 }) @Describe('What the model checks.') rubric?: string;
  @Optional() @Text({ min: 1, max: 64 }) @Describe("The tool's name.") name?: string;
  @Optional() @JsonObjectWithin(16 * 1024) @Describe('The exact arguments.') arguments?: Record<string, unknown>;
  @Optional() @Text({ max: 64 }) @Describe('An ended reason of calls.') is?: string;
  @Optional() @IntWithin({ min: 0, max: 1_000 }) @Example(50) turns?: number;
  @Optional() @IntWithin({ min: 1, max: 600_000 }) @Describe('Milliseconds.') ms?: number;
  @Optional() @Text({ min: 1, max: 200 }) @Describe('Into the data, such as appointment.day.') path?: string;
  @Optional() @Scalar() @Describe('The expected value.') value?: string | number | boolean;
}

export const simulationConditions = ['noise', 'interruptions', 'voicemail', 'menu', 'silence'] as const;
export type SimulationCondition = (typeof simulationConditions)[number];

@DescribeObject('The simulated callee.')
@Closed(false)
export class SimulationCallee {
  @Required() @IsIn(['script', 'persona']) @Example('script') type!: 'script' | 'persona';
  @Optional()
  @ArrayMaxSize(50)
  @Text(said, { each: true })
  @Example(['Hello?', 'Thank you.'])
  @Describe('For a script: what the callee says in each turn; then it hangs up.')
  turns?: string[];
  @Optional() @Text({ min: 1, max: 2_000 }) @Describe('Who it is.') persona?: string;
  @Optional() @Text({ min: 1, max: 2_000 }) @Describe("The callee's goal.") goal?: string;
  @Optional() @Text({ min: 1, max: 500 }) @Describe('How the callee talks.') style?: string;
}

@DescribeObject('What a tool returns in place of being run.')
@Closed(false)
export class SimulationStub {
  @Required() @Text({ min: 1, max: limits.toolName.max }) @Describe("The tool's name.") name!: string;
  @Required() @JsonObjectWithin(16 * 1024) @Describe('For the model.') result!: Record<string, unknown>;
  @Optional() @IsIn(['succeeded', 'failed', 'timeout']) @Describe('Default: succeeded.') outcome?:
    'succeeded' | 'failed' | 'timeout';
}

@DescribeObject('A conversation, and the assertions about it.')
@Closed(false)
export class SimulationScenario {
  @Required() @Text(scenarioName) name!: string;
  @Required() @Nested(() => SimulationCallee) @Describe('The simulated callee.') callee!: SimulationCallee;
  @Optional() @Text(limits.languageCode) language?: string;
  @Optional() @JsonObjectWithin(limits.metadataBytes) variables?: Record<string, unknown>;
  @Optional()
  @ArrayMaxSize(simulationConditions.length)
  @IsIn(simulationConditions, { each: true })
  @Describe('How the callee is; `noise`: in spoken runs.')
  conditions?: SimulationCondition[];
  @Required()
  @ArrayMaxSize(50)
  @ListOf(() => SimulationAssertion)
  @Describe('What must hold.')
  assertions!: SimulationAssertion[];
  @Optional()
  @ArrayMaxSize(limits.toolNames)
  @ListOf(() => SimulationStub)
  @Describe('No tool is run: one without a stub is `unavailable` to the model.')
  stubs?: SimulationStub[];
  @Optional()
  @IntWithin({ min: 1, max: 100 })
  @Describe('Turns of the callee, after which it hangs up.')
  max_turns?: number;
}
