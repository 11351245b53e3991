import { ArrayMaxSize, ArrayUnique, IsArray } from 'class-validator';
import { Text } from '../rules/constraints';
import { Closed, Describe, DescribeObject, Nested, Optional, Required } from '../rules/decorators';

const name = { min: 1, max: 64, pattern: /^[a-z0-9][a-z0-9_.-]*$/, description: 'a lower-case name' };
const mostNames = 50;

const Names = (): PropertyDecorator => (target, property) => {
  for (const decorate of [Required(), IsArray(), ArrayMaxSize(mostNames), ArrayUnique(), Text(name, { each: true })]) {
    decorate(target, property);
  }
};

@DescribeObject(
  'The providers that a worker has an adapter for. `offline` of stt and tts: simulated ones are heard on lines with sound.',
)
@Closed()
export class WorkerProviders {
  @Names() stt!: string[];
  @Names() llm!: string[];
  @Names() tts!: string[];
}

@DescribeObject('What a worker can do. It is given only the calls that need nothing else.')
@Closed()
export class WorkerCapabilities {
  @Names()
  @Describe('Providers of numbers that the worker can dial from; browser for test calls.')
  carriers!: string[];
  @Names() @Describe('Agent modes: hosted, external_audio, external_text.') modes!: string[];
  @Names() @Describe('Conversation engines: cascade, engine_a_live, engine_b_live.') engines!: string[];
  @Required() @Nested(() => WorkerProviders) providers!: WorkerProviders;
  @Names() @Describe('Built-in tools by name; webhook and connection for tools of these types.') tools!: string[];
  @Optional()
  @IsArray()
  @ArrayMaxSize(mostNames)
  @ArrayUnique()
  @Text(name, { each: true })
  @Describe(
    'What the worker does to calls in progress on command: say, press, mute, recording, hang_up, transfer, live (it reports what happens while it is watched), listen.',
  )
  controls?: string[];
}
