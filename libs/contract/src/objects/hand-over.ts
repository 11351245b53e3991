import { IsBoolean, IsIn, IsInt, Min } from 'class-validator';
import { limits } from '../limits';
import { JsonObjectWithin, Text } from '../rules/constraints';
import { Describe, DescribeObject, ListOf, Nested, Nullable, Required } from '../rules/decorators';
import { TranscriptTurn } from './transcript';
import { toolOutcomes } from './worker-tools';

@DescribeObject('Whether another worker has room for the call.')
export class WorkerHandOver {
  @Required() @IsInt() @Min(1) epoch!: number;
}

@DescribeObject('Whether the call can be handed over now.')
export class WorkerHandOverAnswer {
  @Required()
  @IsBoolean()
  @Describe(
    'A slot of another worker is kept for the call for 40 seconds. False: no worker has room, or the line cannot be connected again.',
  )
  granted!: boolean;
}

@DescribeObject('A tool call that the previous worker began.')
export class ResumedToolCall {
  @Required() @Text() tool_call_id!: string;
  @Required() @Text() name!: string;
  @Required()
  @Nullable()
  @IsIn(toolOutcomes)
  @Describe('Null: it may have run, and is not repeated.')
  outcome!: (typeof toolOutcomes)[number] | null;
  @Required() @Nullable() @Text() @Describe('What the model got; null if the outcome is unknown.') result!:
    string | null;
}

@DescribeObject('Uploaded parts of the recording.')
export class ResumedRecording {
  @Required() @IsInt() parts!: number;
  @Required() @IsInt() @Describe('Milliseconds of them.') duration_ms!: number;
}

@DescribeObject('The state in which the previous worker left an adopted call.')
export class WorkerResume {
  @Required() @IsInt() @Describe('Milliseconds from the answer until now.') elapsed_ms!: number;
  @Required()
  @Nullable()
  @JsonObjectWithin(limits.snapshotBytes)
  @Describe('The last one of that worker.')
  snapshot!: Record<string, unknown> | null;
  @Required() @ListOf(() => TranscriptTurn) @Describe('The reported turns.') turns!: TranscriptTurn[];
  @Required()
  @ListOf(() => ResumedToolCall)
  @Describe('In the order in which they began.')
  tool_calls!: ResumedToolCall[];
  @Required() @Nullable() @Nested(() => ResumedRecording) recording!: ResumedRecording | null;
}
