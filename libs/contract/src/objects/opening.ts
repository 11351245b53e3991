import { IsIn, IsNumber, Max, Min } from 'class-validator';
import { Closed, Default, Describe, DescribeObject, Optional } from '../rules/decorators';

export const firstSpeakers = ['callee', 'agent'] as const;
export type FirstSpeaker = (typeof firstSpeakers)[number];

/** AgentOpening (docs/reference/tuning.md). An empty object resets it to the defaults: the callee speaks first, and 2 seconds of silence. */
@Closed()
@DescribeObject('Who speaks first on managed outbound telephone calls. Frozen in each call publication.')
export class AgentOpening {
  @Optional() @IsIn(firstSpeakers) @Default('callee') first_speaker?: FirstSpeaker;
  @Optional()
  @IsNumber()
  @Min(1)
  @Max(5)
  @Default(2)
  @Describe('Seconds, if the callee speaks first.')
  silence_wait_seconds?: number;
}
