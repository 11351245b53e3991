import { IsIn } from 'class-validator';
import { limits } from '../limits';
import { Text } from '../rules/constraints';
import { Describe, DescribeObject, Nested, Optional, Required, Rule } from '../rules/decorators';
import { AgentVoice } from './components';
import { idText, WorkspaceNames } from './fields';
import { deliveries } from './voice-polish';

@DescribeObject(
  "The voice is that of `voice`, else of the agent, else the platform's default; so are language and delivery.",
)
@Rule((value: VoicePreviewCreate) => (/\S/.test(value.text) ? undefined : 'text must not be blank'))
export class VoicePreviewCreate extends WorkspaceNames {
  @Required() @Text(limits.previewText) text!: string;
  @Optional()
  @Text(idText)
  @Describe('Provides voice, language and delivery that the body does not name.')
  agent_id?: string;
  @Optional() @Nested(() => AgentVoice, { orText: limits.voiceId }) voice?: string | AgentVoice;
  @Optional()
  @Text(idText)
  @Describe("Of kind `tts` and the voice's provider. Omitted: the agent's bound one, else the platform's account.")
  component_credential_id?: string;
  @Optional() @Text(limits.languageCode) language?: string;
  @Optional() @IsIn(deliveries) delivery?: (typeof deliveries)[number];
}

/** The response body: RIFF WAVE with 16-bit PCM, one channel. */
export class WavAudio {}
