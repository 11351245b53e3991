import { Equals, IsIn, IsNumber, Max, Min } from 'class-validator';
import { JsonObjectWithin } from '../rules/constraints';
import { AppliedDefault, Closed, DescribeObject, Optional, Required, Rule } from '../rules/decorators';

export const audioPresets = ['none', 'office', 'street', 'call_center'] as const;

@DescribeObject('Audio environment. An empty object resets the section.')
@Closed()
@Rule((value: AgentAudioEnvironment) =>
  value.volume !== undefined && value.preset === undefined ? 'preset is required' : undefined,
)
export class AgentAudioEnvironment {
  @Optional() @IsIn(audioPresets) @AppliedDefault('none') preset?: (typeof audioPresets)[number];
  @Optional() @IsNumber() @Min(0) @Max(1) @AppliedDefault(0.5) volume?: number;
}

@DescribeObject('Read in place of a stored value that the catalogue no longer has.')
export class InvalidAudioEnvironment {
  @Required() @Equals(true) invalid!: true;
  @Required() @JsonObjectWithin(1024) stored!: Record<string, unknown>;
}
