import { ArrayMaxSize, IsBoolean, IsIn, IsInt, Min } from 'class-validator';
import { limits } from '../limits';
import { IntWithin, JsonObjectWithin, Text } from '../rules/constraints';
import { Closed, Describe, DescribeObject, ListOf, Nested, Optional, Required } from '../rules/decorators';
import { longestCallMs } from './call-evidence';
import { toolOutcomes } from './worker-tools';

/** The other party is the `callee` in an outbound call and the `caller` in all other calls. */
export const speakers = ['agent', 'caller', 'callee'] as const;

const Milliseconds = (): PropertyDecorator => IntWithin({ min: 0, max: longestCallMs });

@DescribeObject(
  'How long the parts of an answer took, in milliseconds. They overlap, so that `total_ms` is not their sum.',
)
@Closed(false)
export class TurnLatency {
  @Optional()
  @Milliseconds()
  @Describe("From the caller's last voice to the moment at which its silence ended the turn.")
  end_of_turn_hold_ms?: number;
  @Optional() @Milliseconds() @Describe('Additional time of the final transcript.') transcript_ms?: number;
  @Optional() @Milliseconds() @Describe("From the request to the model's first word.") model_first_ms?: number;
  @Optional()
  @Milliseconds()
  @Describe('From the first text sent to the voice to its first audio.')
  speech_first_ms?: number;
  @Optional() @Milliseconds() @Describe("From the caller's last voice to the agent's first audio.") total_ms?: number;
}

/** The outcome of a tool call in a conversation. */
export const transcriptOutcomes = [...toolOutcomes, 'transferred'] as const;

@DescribeObject('A tool that the agent called in a turn. Secrets of the tool are not in it.')
@Closed(false)
export class TranscriptToolCall {
  @Required() @Text({ min: 1, max: 256 }) tool_call_id!: string;
  @Required()
  @Text({ min: 1, max: 256 })
  @Describe('As the model wrote it; may be an unknown tool.')
  name!: string;
  @Required()
  @Text({ max: limits.toolResultBytes })
  @Describe('JSON as the model wrote it; it may be invalid.')
  arguments!: string;
  @Required() @Text({ max: limits.toolResultBytes }) @Describe('What the model got.') result!: string;
  @Required() @IsIn(transcriptOutcomes) outcome!: (typeof transcriptOutcomes)[number];
  @Required() @Milliseconds() duration_ms!: number;
}

const mostToolCalls = 50;

@DescribeObject('One turn of a conversation. Milliseconds from the answer.')
@Closed(false)
export class TranscriptTurn {
  @Optional()
  @Text({ min: 1, max: 64 })
  @Describe('Different in each turn of a call; the same in the messages of a browser line.')
  turn_id?: string;
  @Required() @IsIn(speakers) speaker!: (typeof speakers)[number];
  @Required() @Text({ max: limits.systemPrompt.max }) @Describe('For the agent: only what was heard.') text!: string;
  @Required() @IsInt() started_ms!: number;
  @Required() @IsInt() ended_ms!: number;
  @Optional() @Text(limits.languageCode) language?: string;
  @Optional() @IsBoolean() @Describe('The agent was cut short.') interrupted?: boolean;
  @Optional()
  @Text({ min: 1, max: 256, pattern: /^[0-9A-D*#]+$/, description: 'keys 0-9, A-D, * and #' })
  @Describe('Keys that were pressed.')
  digits?: string;
  @Optional() @Nested(() => TurnLatency) @Describe('Only for replies of the agent.') latency?: TurnLatency;
  @Optional()
  @ArrayMaxSize(mostToolCalls)
  @ListOf(() => TranscriptToolCall)
  @Describe('Tools that the agent called in the turn.')
  tool_calls?: TranscriptToolCall[];
}

@DescribeObject('Turns of a call in progress.')
export class WorkerTurns {
  @Required() @IsInt() @Min(1) epoch!: number;
  @Required()
  @IntWithin({ min: 0, max: limits.reportedTurns })
  @Describe('The position of the first one in the transcript, from 0 on.')
  first!: number;
  @Required()
  @ArrayMaxSize(limits.turnsPerReport)
  @ListOf(() => TranscriptTurn)
  @Describe('They replace what was reported from that position on. May be empty with a snapshot.')
  turns!: TranscriptTurn[];
  @Optional()
  @JsonObjectWithin(limits.snapshotBytes)
  @Describe(
    'What another worker needs, in addition to the turns, to continue the call; the last one is kept, without card numbers, until the call ends. A telephone call with one continues if its worker is lost.',
  )
  snapshot?: Record<string, unknown>;
  @Optional()
  @IsBoolean()
  @Describe(
    'The worker lets the call go with its lease: another one takes it up. Only after `hand-over` granted it, or when the line was lost.',
  )
  hands_over?: boolean;
  @Optional()
  @Text({ max: 2000 })
  @Describe(
    'What is being recognized, for those who watch the call: after a command `watch`, for a minute. It is not kept.',
  )
  partial?: string;
}

@DescribeObject('Turns of a call that were reported so far.')
export class WorkerTurnsAnswer {
  @Required() @IsInt() @Describe('How many there are.') turns!: number;
}
