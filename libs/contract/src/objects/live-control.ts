import { ArrayMaxSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsInt, Min } from 'class-validator';
import { IntWithin, JsonObjectWithin, Text } from '../rules/constraints';
import { Describe, DescribeObject, Example, ListOf, Optional, Required } from '../rules/decorators';
import { idText, OrganizationName } from './fields';

/** The controls that a worker may declare for its calls in `controls` of its capabilities. */
export const controlNames = [
  'say',
  'press',
  'mute',
  'recording',
  'hang_up',
  'transfer',
  'live',
  'listen',
  'chat',
] as const;
export type ControlName = (typeof controlNames)[number];

/** Commands for the worker of a call. The fields of a command are those of the request that caused it. */
export const commandTypes = [
  'say',
  'press',
  'mute',
  'pause_recording',
  'resume_recording',
  'hang_up',
  'transfer',
  'transferring',
  'held',
  'watch',
  'listen',
  'chat',
] as const;
export type CommandType = (typeof commandTypes)[number];

/** The control that a worker must have declared to receive a command of this type. */
export const controlOf: Readonly<Record<CommandType, ControlName>> = {
  say: 'say',
  press: 'press',
  mute: 'mute',
  pause_recording: 'recording',
  resume_recording: 'recording',
  hang_up: 'hang_up',
  transfer: 'transfer',
  transferring: 'transfer',
  held: 'transfer',
  watch: 'live',
  listen: 'listen',
  chat: 'chat',
};

/** Digits that may be pressed with one command. */
export const pressable = { min: 1, max: 32, pattern: /^[0-9*#]+$/, description: 'keys: 0-9, * and #' };

@DescribeObject('POST /v1/calls/{call_id}/say.')
export class CallSay extends OrganizationName {
  @Required()
  @Text({ min: 1, max: 1000, pattern: /\S/, description: 'words to say' })
  @Describe(
    'Spoken word for word as soon as neither side is speaking. It is in the transcript and in the history that the model is given.',
  )
  text!: string;
}

@DescribeObject('POST /v1/calls/{call_id}/press.')
export class CallPress extends OrganizationName {
  @Required() @Text(pressable) @Example('12#') @Describe('Sent as tones, immediately.') digits!: string;
}

@DescribeObject('POST /v1/calls/{call_id}/mute.')
export class CallMute extends OrganizationName {
  @Required() @IsBoolean() @Describe('A muted agent continues, unheard.') muted!: boolean;
}

@DescribeObject('What a worker did to a call in progress.')
export class CallCommandRecord {
  @Required() @Text() command_id!: string;
  @Required() @Text() call_id!: string;
  @Required() @IsIn(commandTypes) type!: CommandType;
  @Required() @IsIn(['performed']) status!: 'performed';
  @Required() @Text() created_at!: string;
  @Required() @Text() @Describe('When the worker had done it.') performed_at!: string;
}

const workerId = { min: 1, max: 128 };
/** Maximum of commands that a worker has taken but not completed. */
const mostHeld = 100;

@DescribeObject('A long poll, one for all calls of a worker.')
export class WorkerCommandsRequest extends OrganizationName {
  @Required() @Text(workerId) @Describe('As in the claims of the leases.') worker_id!: string;
  @Optional()
  @IntWithin({ min: 0, max: 20 })
  @Describe('How long to wait for the first command.')
  wait_seconds?: number;
  @Optional()
  @IsArray()
  @ArrayMaxSize(mostHeld)
  @ArrayUnique()
  @Text(idText, { each: true })
  @Describe('Commands that arrived and whose outcome is still to come: they are not sent again.')
  held?: string[];
}

@DescribeObject('A command for a call under a lease.')
export class WorkerCommand {
  @Required() @Text() command_id!: string;
  @Required() @Text() job_id!: string;
  @Required() @IsInt() @Describe('Under another epoch it is not to be performed.') epoch!: number;
  @Required() @Text() @Describe('A type that the worker does not know is to be refused.') type!: string;
  @Required() @JsonObjectWithin(16 * 1024) @Describe('Fields of the request.') fields!: Record<string, unknown>;
}

@DescribeObject('In the order in which they are to be performed, call by call.')
export class WorkerCommands {
  @Required() @ListOf(() => WorkerCommand) @Describe('None where none came in time.') commands!: WorkerCommand[];
}

export const commandOutcomes = ['performed', 'refused'] as const;
export type CommandOutcome = (typeof commandOutcomes)[number];

export const commandRefusals = ['call_over', 'unavailable', 'busy'] as const;
export type CommandRefusal = (typeof commandRefusals)[number];

@DescribeObject('The first outcome stays.')
export class WorkerCommandOutcome extends OrganizationName {
  @Required() @IsInt() @Min(1) epoch!: number;
  @Required() @IsIn(commandOutcomes) outcome!: CommandOutcome;
  @Optional()
  @IsIn(commandRefusals)
  @Describe('Why it was refused. `unavailable`: what conducts the call cannot do it. `busy`: not now.')
  refusal?: CommandRefusal;
  @Optional() @Text({ max: 300 }) detail?: string;
  @Optional() @JsonObjectWithin(64 * 1024) @Describe('What the command returns.') result?: Record<string, unknown>;
}

@DescribeObject('The outcome that is kept.')
export class WorkerCommandKept {
  @Required() @Text() command_id!: string;
  @Required() @IsIn(commandOutcomes) outcome!: CommandOutcome;
}
