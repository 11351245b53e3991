import { ArrayMaxSize, IsBoolean, IsIn, IsInt, Min } from 'class-validator';
import { JsonObjectWithin, Text, Timestamp } from '../rules/constraints';
import {
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
import { FallbackSelection } from './components';
import { idText, WorkspaceNames } from './fields';

export const extractionSchemaBytes = 32 * 1024;
const dataBytes = 256 * 1024;

@DescribeObject('A language model by provider and name.')
export class ExtractionModel extends FallbackSelection {
  @Optional()
  @Text(idText)
  @Describe(
    "Of kind `llm` and the provider. Omitted: the agent's bound one of the provider, else the platform's account.",
  )
  component_credential_id?: string;
}

/** PUT /v1/agents/{agent_id}/extraction. */
@DescribeObject('What is extracted from the calls of an agent; replaces what was set before.')
@Ignores('agent_id', 'revision', 'updated_at')
export class ExtractionUpdate extends WorkspaceNames {
  @Required()
  @JsonObjectWithin(extractionSchemaBytes)
  @Example({ type: 'object', properties: { appointment: { type: 'string', description: 'The agreed day' } } })
  @Describe(
    'A JSON Schema of an object, with type, description, title, properties, required, additionalProperties: false, items, enum, const, anyOf, minimum, maximum, minLength, maxLength, minItems, maxItems, format (date, date-time, email).',
  )
  schema!: Record<string, unknown>;
  @Optional()
  @Nullable()
  @Text({ min: 1, max: 10_000 })
  @Describe('What the model is to look for, next to the descriptions of the schema.')
  prompt?: string | null;
  @Optional()
  @Nullable()
  @Nested(() => ExtractionModel)
  @Describe(
    "Absent: the publication's. `simulator` extracts by rules. Other than the stored one: needs recordings:read.",
  )
  model?: ExtractionModel | null;
}

@DescribeObject('What is extracted from the calls of an agent.')
export class ExtractionConfiguration {
  @Required() @Text() agent_id!: string;
  @Required()
  @JsonObjectWithin(extractionSchemaBytes)
  @Describe('A JSON Schema of the data of a call.')
  schema!: Record<string, unknown>;
  @Required() @Nullable() @Text() @Describe('What the model must look for; null: only the schema.') prompt!:
    string | null;
  @Required() @Nullable() @Nested(() => ExtractionModel) model!: ExtractionModel | null;
  @Required() @IsInt() @Min(1) @Describe('Counts the writes, deletions included.') revision!: number;
  @Required() @Text() updated_at!: string;
}

export const sentiments = ['positive', 'neutral', 'negative'] as const;
export type Sentiment = (typeof sentiments)[number];

@DescribeObject("Whether the call reached the agent's goal, as its prompts state it.")
export class ExtractionSuccess {
  @Required() @Nullable() @IsBoolean() @Describe('Null: unclear.') achieved!: boolean | null;
  @Required() @Text({ max: 1_000 }) reason!: string;
}

@DescribeObject('Where in the transcript a value stands.')
export class ExtractionEvidence {
  @Required()
  @Text({ max: 1_000 })
  @Describe('summary, sentiment, success, or a path into data such as data.items[0].name.')
  path!: string;
  @Required()
  @ArrayMaxSize(100)
  @Text({ max: 64 }, { each: true })
  @Describe('Turns of the transcript; of turns without an id their position, from 0 on.')
  turn_ids!: string[];
}

@DescribeObject('What the model used. Recorded, not charged.')
export class ExtractionUsage {
  @Required() @Nullable() @IsInt() @Describe('Null if the provider reports none.') input_tokens!: number | null;
  @Required() @Nullable() @IsInt() @Describe('Null if the provider reports none.') output_tokens!: number | null;
  @Required()
  @Nullable()
  @IsInt()
  @Describe("Micro-USD, estimated by the catalogue's price of the model; null if it is not known.")
  cost_micros!: number | null;
}

export const extractionStatuses = ['ready', 'failed'] as const;
export const extractionFailures = [
  'no_provider',
  'provider_unavailable',
  'provider_refused',
  'invalid_output',
  'transcript_gone',
] as const;
export type ExtractionFailure = (typeof extractionFailures)[number];

@DescribeObject('What was extracted from a call, by the newest revision that it was extracted with.')
export class ExtractionRecord {
  @Required() @Text() call_id!: string;
  @Required() @Text() agent_id!: string;
  @Required() @IsInt() @Describe('The revision of the settings.') revision!: number;
  @Required() @IsIn(extractionStatuses) status!: (typeof extractionStatuses)[number];
  @Required() @Nullable() @IsIn(extractionFailures) @Describe('Why it failed.') reason!: ExtractionFailure | null;
  @Required() @Nullable() @JsonObjectWithin(dataBytes) @Describe('Valid by the schema.') data!: Record<
    string,
    unknown
  > | null;
  @Required() @Nullable() @Text({ max: 2_000 }) @Describe('What the call was about; null if it failed.') summary!:
    string | null;
  @Required() @Nullable() @IsIn(sentiments) @Describe("The caller's.") sentiment!: Sentiment | null;
  @Required()
  @Nullable()
  @Nested(() => ExtractionSuccess)
  @Describe('Null if it failed.')
  success!: ExtractionSuccess | null;
  @Required()
  @ListOf(() => ExtractionEvidence)
  @Describe('The turns that values were taken from.')
  evidence!: ExtractionEvidence[];
  @Required() @Nullable() @Nested(() => ExtractionModel) model!: ExtractionModel | null;
  @Required() @IsBoolean() @Describe('Extracted by rules, without a model.') simulated!: boolean;
  @Required()
  @Nullable()
  @Nested(() => ExtractionUsage)
  @Describe('Null without a model.')
  usage!: ExtractionUsage | null;
  @Required() @Text() created_at!: string;
}

const longestRerunMs = 92 * 24 * 3_600_000;

function orderedPeriod({ from, to }: ExtractionRerunCreate): string | undefined {
  const ms = Date.parse(to) - Date.parse(from);
  if (ms <= 0) return 'to must be after from';
  return ms > longestRerunMs ? 'to must be at most 92 days after from' : undefined;
}

@DescribeObject('Calls that were created in this period and have a transcript are extracted again, 10,000 at most.')
@Rule(orderedPeriod)
export class ExtractionRerunCreate extends WorkspaceNames {
  @Required() @Timestamp() @Example('2026-01-01T00:00:00Z') @Describe('Created at this time or later.') from!: string;
  @Required() @Timestamp() @Example('2026-01-31T00:00:00Z') @Describe('Created before this time.') to!: string;
}

export const rerunStatuses = ['running', 'completed'] as const;

@DescribeObject('An extraction of earlier calls.')
export class ExtractionRerun {
  @Required() @Text() extraction_rerun_id!: string;
  @Required() @Text() agent_id!: string;
  @Required()
  @Timestamp()
  @Example('2026-01-01T00:00:00.000Z')
  @Describe('When the period of the calls begins.')
  from!: string;
  @Required() @Timestamp() @Example('2026-01-31T00:00:00.000Z') @Describe('When it ends.') to!: string;
  @Required() @IsIn(rerunStatuses) status!: (typeof rerunStatuses)[number];
  @Required() @IsInt() @Describe('Calls that were found so far.') calls!: number;
  @Required() @IsInt() @Describe('Calls whose data was extracted.') ready!: number;
  @Required() @IsInt() @Describe('Calls whose extraction failed.') failed!: number;
  @Required()
  @IsInt()
  @Describe('Calls that were being extracted anyway, or whose extraction was deleted meanwhile.')
  skipped!: number;
  @Required() @Text() created_at!: string;
  @Required() @Nullable() @Text() finished_at!: string | null;
}
