import { IsBoolean, IsIn, IsInt, Min } from 'class-validator';
import { IntWithin, JsonObjectWithin, Text } from '../rules/constraints';
import { Describe, DescribeObject, ListOf, Optional, Required } from '../rules/decorators';
import { RouteQuery } from './page';

export const callLiveEventTypes = ['state', 'turn', 'partial', 'tool', 'ended'] as const;
export type CallLiveEventType = (typeof callLiveEventTypes)[number];

export class CallLiveQuery extends RouteQuery {
  @Optional()
  @Text({ min: 1, max: 2048 })
  @Describe('Goes on after what was read before: `next_cursor` of that answer.')
  after?: string;
}

@DescribeObject('What happens in a call in progress.')
export class CallLiveEvent {
  @Required()
  @IsIn(callLiveEventTypes)
  @Describe(
    '`state`: the status changed. `turn`: a turn began, grew or was cut short; the last one of a `turn_id` counts. `partial`: the words of the other party recognized so far, until its turn. `tool`: the agent called a tool. `ended`: the last one.',
  )
  type!: CallLiveEventType;
  @Required()
  @JsonObjectWithin(1024 * 1024)
  @Describe(
    'Of `state`: call_id, status, at. Of `turn`: TranscriptTurn. Of `partial`: text. Of `tool`: turn_id, and an entry of its tool_calls. Of `ended`: call_id, status, ended_reason, reason_detail, transfers.',
  )
  data!: Record<string, unknown>;
}

export class CallLivePage {
  @Required() @ListOf(() => CallLiveEvent) @Describe('In order.') data!: CallLiveEvent[];
  @Required() @Text() @Describe('Send as `after`.') next_cursor!: string;
  @Required() @IsBoolean() @Describe('Nothing follows: the call is over.') over!: boolean;
}

export const liveAudio = { encoding: 'mulaw', sample_rate: 8_000, channels: 2 } as const;

@DescribeObject(
  'The first message of the websocket; binary ones with the sound follow, then `ended`. Without an upgrade this is the answer.',
)
export class CallLiveAudio {
  @Required() @IsIn(['start']) type!: 'start';
  @Required() @Text() call_id!: string;
  @Required()
  @IsIn([liveAudio.encoding])
  @Describe('G.711 mu-law, a byte a sample.')
  encoding!: typeof liveAudio.encoding;
  @Required()
  @IsIn([liveAudio.sample_rate])
  @Describe('Per second and channel.')
  sample_rate!: typeof liveAudio.sample_rate;
  @Required()
  @IsIn([liveAudio.channels])
  @Describe('Interleaved: the other party, then the agent.')
  channels!: typeof liveAudio.channels;
}

export class LiveAudioQuery extends RouteQuery {
  @Optional()
  @IntWithin({ min: 1, max: Number.MAX_SAFE_INTEGER })
  @Describe('The epoch of the lease; sound without it is 400.')
  epoch?: number;
}

@DescribeObject('Whether anyone listens in.')
export class LiveAudioListeners {
  @Required()
  @IsInt()
  @Min(0)
  @Describe('Replicas that forward it; 0: stop sending.')
  listeners!: number;
}
