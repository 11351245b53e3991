import { IsIn, IsInt } from 'class-validator';
import { limits } from '../limits';
import { JsonObjectWithin, Text } from '../rules/constraints';
import { Describe, DescribeObject, Nested, Optional, Required, Secret } from '../rules/decorators';

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
