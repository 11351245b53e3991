import { IsIn } from 'class-validator';
import { IntWithin, Text } from '../rules/constraints';
import { Closed, Describe, DescribeObject, Nested, Nullable, Required } from '../rules/decorators';
import { nonHumanAudioModes, voicemailModes } from './answer-detection';

/** A media session lasts at most 30 minutes (docs/reference/tuning.md). */
export const longestCallMs = 1_800_000;

/** What showed that a voicemail box answered (docs/reference/tuning.md). */
export const mailboxProofs = ['beep', 'mailbox_instruction'] as const;
export type MailboxProof = (typeof mailboxProofs)[number];

@DescribeObject('How the detection of non-human audio was set, and how it ran.')
export class NonHumanAudioModes {
  @Required() @IsIn(nonHumanAudioModes) chosen!: (typeof nonHumanAudioModes)[number];
  @Required() @IsIn(nonHumanAudioModes) effective!: (typeof nonHumanAudioModes)[number];
}

@DescribeObject('How the detection of mailboxes was set, and how it ran.')
export class VoicemailDetectionModes {
  @Required() @IsIn(voicemailModes) chosen!: (typeof voicemailModes)[number];
  @Required()
  @IsIn(voicemailModes)
  @Describe('hang_up and leave_message run as shadow for now.')
  effective!: (typeof voicemailModes)[number];
}

@DescribeObject('The evidence of answer detection on a call.')
export class AnswerDetectionEvidence {
  @Required() @Nested(() => NonHumanAudioModes) non_human_audio!: NonHumanAudioModes;
  @Required() @Nested(() => VoicemailDetectionModes) voicemail!: VoicemailDetectionModes;
  @Required()
  @Nullable()
  @IsIn(mailboxProofs)
  @Describe('What proved a mailbox: the beep after its greeting, or its instruction to leave a message.')
  proof!: MailboxProof | null;
  @Required()
  @Nullable()
  @Text()
  @Describe('The turn of a person after which the proof does not count.')
  withdrawn_by!: string | null;
}

@DescribeObject('How long a call was in phone menus and on hold. Both bill at the normal call rate.')
@Closed(false)
export class NavigationTimes {
  @Required() @IntWithin({ min: 0, max: longestCallMs }) menu_ms!: number;
  @Required() @IntWithin({ min: 0, max: longestCallMs }) hold_ms!: number;
}
