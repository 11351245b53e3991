import { IsIn } from 'class-validator';
import { limits } from '../limits';
import { Entries } from '../rules/constraints';
import { AppliedDefault, Closed, Describe, DescribeObject, Nullable, Optional } from '../rules/decorators';

export const nonHumanAudioModes = ['shadow', 'end_call', 'off'] as const;
export const voicemailModes = ['shadow', 'hang_up', 'leave_message', 'off'] as const;

/** A language code as a key of voicemail_messages (docs/reference/tuning.md). */
export const messageLanguagePattern = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*$/;

@DescribeObject(
  'Replaced as a whole; a sent value is stored even when equal to the default. `leave_message` needs a message.',
)
@Closed()
export class AgentAnswerDetection {
  @Optional() @IsIn(nonHumanAudioModes) @AppliedDefault('shadow') non_human_audio?: (typeof nonHumanAudioModes)[number];
  @Optional() @IsIn(voicemailModes) @AppliedDefault('shadow') voicemail?: (typeof voicemailModes)[number];
  @Optional()
  @Nullable()
  @Entries({
    maxEntries: limits.voicemailMessages.max,
    key: { ...limits.languageCode, pattern: messageLanguagePattern, description: 'a language code' },
    value: { max: limits.voicemailMessage.max, collapsed: true },
  })
  @Describe('Language code to plain text of at most 400 characters; blank text removes that message, null or {} all.')
  voicemail_messages?: Record<string, string> | null;
}
