import { IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsObject } from 'class-validator';
import { endKeys } from '../objects/agent-settings';
import { deliveryControls, type DeliveryControl } from '../objects/agent-view';
import { AgentAnswerDetection, voicemailModes } from '../objects/answer-detection';
import { audioPresets } from '../objects/audio-environment';
import { AgentNavigation } from '../objects/navigation';
import { AgentOpening } from '../objects/opening';
import { AgentTurnTaking } from '../objects/turn-taking';
import {
  AgentAcknowledgements,
  AgentModelUnresponsive,
  AgentToolWait,
  AgentUnrecognisedSpeech,
  deliveries,
} from '../objects/voice-polish';
import { Text } from '../rules/constraints';
import { ListOf, Nested, Nullable, Required } from '../rules/decorators';
import { Resolved } from '../rules/resolved';
import type { PublishedProfile } from './voice-stack-configuration';

/**
 * The tuning of one call with presets and defaults applied (docs/reference/tuning.md), so that the worker only needs to use the values. No field is optional:
 * one that does not apply to the call has a value that means so. A field of a stored section has its stored value or its default, unless it is listed in
 * `byRule` because a rule derives it; the rules are in `effective/`.
 */

/** Fields of each stored section whose effective value is derived by a rule, instead of being the stored value or the default. */
export const byRule = {
  turnTaking: [
    'interruption_sensitivity',
    'min_speech_ms',
    'silence_hold_ms',
    'min_interruption_words',
    'barge_in_speech_rms',
  ],
  acknowledgements: ['phrases'],
  toolWait: ['phrases'],
  unrecognisedSpeech: ['enabled', 'phrase'],
  answerDetection: ['voicemail', 'voicemail_messages'],
  navigation: ['enabled'],
} as const;

/** Milliseconds of silence that end a turn. */
export class EffectiveEndOfTurn {
  /** Applies if the trained detector considers the sentence finished. */
  @Required() @IsNumber() finished!: number;
  @Required() @IsNumber() unfinished!: number;
  @Required() @IsNumber() without_detector!: number;
}

/** first_speaker is `agent`, except on outbound phone calls. silence_wait_seconds applies if the callee speaks first. */
export class EffectiveOpening extends Resolved(AgentOpening, []) {}

export class EffectiveTurns extends Resolved(AgentTurnTaking, byRule.turnTaking, EffectiveOpening) {
  /** Milliseconds of speech that interrupt the agent; at least 150 on phone calls. */
  @Required() @IsNumber() interruption_threshold_ms!: number;
  /** How many recognized words an interruption must contain in addition; 0: none. */
  @Required() @IsInt() min_interruption_words!: number;
  /** Words in lower case that do not count as words of an interruption. */
  @Required() @IsArray() @Text({}, { each: true }) filler_words!: string[];
  @Required() @Nested(() => EffectiveEndOfTurn) end_of_turn_ms!: EffectiveEndOfTurn;
}

/** The resolved value of a delivery: voice settings, an instruction, or a factor of the usual speed. */
export type DeliveryValue = string | number | Readonly<Record<string, string | number | boolean>>;
export type Delivery = (typeof deliveries)[number];

/** The value of the chosen delivery for one voice of the call. */
export class EffectiveDelivery {
  @Required() @Text() provider!: string;
  @Required() @Text() model!: string;
  @Required() @IsIn(deliveryControls) delivery_control!: DeliveryControl;
  /** null: the voice is used unchanged, because no delivery was chosen or the voice supports none. */
  @Required() @Nullable() value!: DeliveryValue | null;
}

export class EffectiveDeliveries {
  @Required() @Nullable() @IsIn(deliveries) chosen!: Delivery | null;
  /** The voice of the starting profile first, then the other voices of the publication without duplicates; empty for a voice-to-voice engine. */
  @Required() @ListOf(() => EffectiveDelivery) voices!: EffectiveDelivery[];
}

/** If there are no phrases, there are no acknowledgements. */
export class EffectiveAcknowledgements extends Resolved(AgentAcknowledgements, byRule.acknowledgements) {
  @Required() @IsArray() @Text({}, { each: true }) phrases!: string[];
}

export class EffectiveToolWait extends Resolved(AgentToolWait, byRule.toolWait) {
  @Required() @IsArray() @Text({}, { each: true }) phrases!: string[];
  /** Maximum duration of the waiting sound. */
  @Required() @IsNumber() sound_seconds!: number;
  /** Tools during which no waiting sound or phrase is played. */
  @Required() @IsArray() @Text({}, { each: true }) silent_tools!: string[];
}

export class EffectiveUnrecognisedSpeech extends Resolved(AgentUnrecognisedSpeech, byRule.unrecognisedSpeech) {
  @Required() @IsBoolean() enabled!: boolean;
  /** null: there is no phrase in the call's language. */
  @Required() @Nullable() @Text() phrase!: string | null;
}

/** With 0 seconds it is off. */
export class EffectiveModelUnresponsive extends Resolved(AgentModelUnresponsive, []) {}

export class EffectiveVoicePolish {
  @Required() @Nested(() => EffectiveDeliveries) delivery!: EffectiveDeliveries;
  /** null: the agent says nothing at the end. */
  @Required() @Nullable() @Text() end_of_call_phrase!: string | null;
  @Required() @Nested(() => EffectiveAcknowledgements) acknowledgements!: EffectiveAcknowledgements;
  @Required() @Nested(() => EffectiveToolWait) tool_wait!: EffectiveToolWait;
  @Required() @Nested(() => EffectiveUnrecognisedSpeech) unrecognised_speech!: EffectiveUnrecognisedSpeech;
  @Required() @Nested(() => EffectiveModelUnresponsive) model_unresponsive!: EffectiveModelUnresponsive;
}

/** hang_up and leave_message only run in shadow mode: `chosen` and the mode in effect may differ, and the call's evidence shows both. */
export class EffectiveVoicemail {
  @Required() @IsIn(voicemailModes) chosen!: (typeof voicemailModes)[number];
  @Required() @IsIn(['shadow', 'off']) effective!: 'shadow' | 'off';
}

/** When pressed keys become a turn. */
export class EffectiveKeys {
  @Required() @IsNumber() between_seconds!: number;
  /** null: any number. */
  @Required() @Nullable() @IsInt() max_digits!: number | null;
  /** null: none. */
  @Required() @Nullable() @IsIn(endKeys) end_key!: (typeof endKeys)[number] | null;
}

export class EffectiveAnswerDetection extends Resolved(AgentAnswerDetection, byRule.answerDetection) {
  @Required() @Nested(() => EffectiveVoicemail) voicemail!: EffectiveVoicemail;
  /** The message in the call's language; null: there is none, so no message is left. */
  @Required() @Nullable() @Text() voicemail_message!: string | null;
}

export class EffectiveNavigation extends Resolved(AgentNavigation, byRule.navigation) {
  /** Whether this call navigates phone menus and hold queues. */
  @Required() @IsBoolean() active!: boolean;
  /** The tools that navigation adds to the agent's tools; empty if navigation is inactive. */
  @Required() @IsArray() @Text({}, { each: true }) tools!: string[];
}

/** The volume is from 0 to 1; it is 0 for the preset `none`. */
export class EffectiveAudioEnvironment {
  @Required() @IsIn(audioPresets) preset!: (typeof audioPresets)[number];
  @Required() @IsNumber() volume!: number;
}

/** The texts and thresholds for one of the languages to which a call may switch. */
export class EffectiveLanguage {
  @Required() @Text() locale!: string;
  @Required() @IsArray() @Text({}, { each: true }) acknowledgement_phrases!: string[];
  @Required() @IsArray() @Text({}, { each: true }) tool_wait_phrases!: string[];
  @Required() @IsArray() @Text({}, { each: true }) filler_words!: string[];
  @Required() @Nullable() @Text() voicemail_message!: string | null;
}

export class EffectiveTuning extends EffectiveTurns {
  /** All languages of the publication if the call follows its caller's language; otherwise empty. */
  @Required() @ListOf(() => EffectiveLanguage) languages!: EffectiveLanguage[];
  /** The fully resolved profile of the language with which the call starts. If its greeting is null, the model generates the first sentence. */
  @Required() @IsObject() profile!: PublishedProfile;
  @Required() @Nested(() => EffectiveVoicePolish) voice_polish!: EffectiveVoicePolish;
  @Required() @Nested(() => EffectiveAnswerDetection) answer_detection!: EffectiveAnswerDetection;
  @Required() @Nested(() => EffectiveNavigation) navigation!: EffectiveNavigation;
  @Required() @Nested(() => EffectiveAudioEnvironment) audio_environment!: EffectiveAudioEnvironment;
  @Required() @Nested(() => EffectiveKeys) keys!: EffectiveKeys;
}
