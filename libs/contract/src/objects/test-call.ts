import { IsBoolean, IsIn, IsInt } from 'class-validator';
import { limits } from '../limits';
import { JsonObjectWithin, Text } from '../rules/constraints';
import { Describe, DescribeObject, Nested, Nullable, Optional, Required, Secret } from '../rules/decorators';

/** The carrier that a worker declares if it conducts test calls; no number has it. */
export const browserCarrier = 'browser';

/** Validity of a test call's token. */
export const testCallTokenSeconds = 60;

@DescribeObject('POST /v1/agents/{agent_id}/test-calls.')
export class TestCallCreate {
  @Optional() @JsonObjectWithin(limits.metadataBytes) variables?: Record<string, unknown>;
  @Optional() @Text(limits.languageCode) language?: string;
}

@DescribeObject('What the binary messages of a test call are, both ways.')
export class TestCallAudio {
  @Required() @IsIn(['pcm_s16le']) encoding!: 'pcm_s16le';
  @Required() @IsInt() @IsIn([16_000]) sample_rate!: 16_000;
  @Required() @IsInt() @IsIn([1]) channels!: 1;
}

@DescribeObject('Where the caller connects, and with what.')
export class TestCall {
  @Required() @Text() call_id!: string;
  @Required()
  @Text()
  @Describe('A websocket that speaks `parley.audio.v1`.')
  websocket_url!: string;
  @Optional()
  @Secret()
  @Text()
  @Describe(
    'For one connection: in the query as `token`, or as the subprotocol `parley.token.` and the token, next to `parley.audio.v1`. Absent in a replay.',
  )
  token?: string;
  @Required()
  @Text()
  @Describe('When the token ends: without a connection until then the call fails.')
  expires_at!: string;
  @Required() @Nested(() => TestCallAudio) audio!: TestCallAudio;
}

@DescribeObject('From the platform: the call was accepted. Nothing may be sent before it.')
export class TestCallReady {
  @Required() @IsIn(['ready']) type!: 'ready';
}

@DescribeObject('From the platform: what the agent does.')
export class TestCallState {
  @Required() @IsIn(['state']) type!: 'state';
  @Required() @IsIn(['listening', 'thinking', 'speaking']) state!: 'listening' | 'thinking' | 'speaking';
}

@DescribeObject('From the platform: what was said.')
export class TestCallTranscript {
  @Required() @IsIn(['transcript']) type!: 'transcript';
  @Required() @IsIn(['caller', 'agent']) speaker!: 'caller' | 'agent';
  @Required() @Text() turn_id!: string;
  @Required() @Text() text!: string;
  @Required() @IsBoolean() final!: boolean;
}

@DescribeObject('In both directions: a position in the audio of the agent.')
export class TestCallMark {
  @Required() @IsIn(['mark']) type!: 'mark';
  @Required() @Text({ min: 1, max: 64 }) name!: string;
}

@DescribeObject('From the platform: audio that was not played yet has to be discarded.')
export class TestCallClear {
  @Required() @IsIn(['clear']) type!: 'clear';
}

@DescribeObject('From the platform: the state of a tool call of the agent.')
export class TestCallTool {
  @Required() @IsIn(['tool']) type!: 'tool';
  @Required() @Text() name!: string;
  @Required() @Text() state!: string;
}

@DescribeObject('From the platform: the last message, before a close with 1000.')
export class TestCallEnded {
  @Required() @IsIn(['ended']) type!: 'ended';
  @Required() @Nullable() @Text() ended_reason!: string | null;
  @Required() @Nullable() @Text() reason_detail!: string | null;
}

@DescribeObject('From the client: digits on a keypad.')
export class TestCallDigits {
  @Required() @IsIn(['dtmf']) type!: 'dtmf';
  @Required() @Text({ min: 1, max: 32 }) digits!: string;
}

@DescribeObject('From the client: a typed turn.')
export class TestCallText {
  @Required() @IsIn(['text']) type!: 'text';
  @Required() @Text({ min: 1, max: 4_000 }) text!: string;
}

@DescribeObject('From the client: ends the call. Closing the connection does too.')
export class TestCallHangUp {
  @Required() @IsIn(['hang_up']) type!: 'hang_up';
}
