import { IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsObject } from 'class-validator';
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
 * The tuning of one call with presets and defaults applied (docs/reference/tuning.md), so that the worker only applies numbers. Nothing is
 * optional: what does not apply to this call says so. A field of a stored section is here by itself, at its stored value or its default,
 * unless it is named below among those that a rule derives; `effective/` has the rules.
 */

/** Fields of each stored section whose effective value is not simply the stored value or the default. */
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
  /** With the trained detector, if it considers the sentence finished. */
  @Required() @IsNumber() finished!: number;
  @Required() @IsNumber() unfinished!: number;
  @Required() @IsNumber() without_detector!: number;
}

/** first_speaker: the agent, except on outbound phone calls. silence_wait_seconds: applies if the callee speaks first. */
export class EffectiveOpening extends Resolved(AgentOpening, []) {}

export class EffectiveTurns extends Resolved(AgentTurnTaking, byRule.turnTaking, EffectiveOpening) {
  /** Milliseconds of speech that interrupt the agent; at least 150 on phone calls. */
  @Required() @IsNumber() interruption_threshold_ms!: number;
  /** Recognized words that an interruption must also contain; 0: none. */
  @Required() @IsInt() min_interruption_words!: number;
  /** Words that do not count towards it, lower case. */
  @Required() @IsArray() @Text({}, { each: true }) filler_words!: string[];
  @Required() @Nested(() => EffectiveEndOfTurn) end_of_turn_ms!: EffectiveEndOfTurn;
}

/** The resolved form of a delivery: voice settings, an instruction, or a factor on the usual pace. */
export type DeliveryValue = string | number | Readonly<Record<string, string | number | boolean>>;
export type Delivery = (typeof deliveries)[number];

/** The chosen delivery for one voice of the call. */
export class EffectiveDelivery {
  @Required() @Text() provider!: string;
  @Required() @Text() model!: string;
  @Required() @IsIn(deliveryControls) delivery_control!: DeliveryControl;
  /** null: unchanged, because none was chosen or the voice supports none. */
  @Required() @Nullable() value!: DeliveryValue | null;
}

export class EffectiveDeliveries {
  @Required() @Nullable() @IsIn(deliveries) chosen!: Delivery | null;
  /** The voice of the starting profile first, then the other voices of the publication without duplicates; none for a voice-to-voice engine. */
  @Required() @ListOf(() => EffectiveDelivery) voices!: EffectiveDelivery[];
}

/** Without phrases there are no acknowledgements. */
export class EffectiveAcknowledgements extends Resolved(AgentAcknowledgements, byRule.acknowledgements) {
  @Required() @IsArray() @Text({}, { each: true }) phrases!: string[];
}

export class EffectiveToolWait extends Resolved(AgentToolWait, byRule.toolWait) {
  @Required() @IsArray() @Text({}, { each: true }) phrases!: string[];
  /** Maximum duration of the sound. */
  @Required() @IsNumber() sound_seconds!: number;
  /** Tools without a waiting sound or phrase. */
  @Required() @IsArray() @Text({}, { each: true }) silent_tools!: string[];
}

export class EffectiveUnrecognisedSpeech extends Resolved(AgentUnrecognisedSpeech, byRule.unrecognisedSpeech) {
  @Required() @IsBoolean() enabled!: boolean;
  /** null: there is none in the call's language. */
  @Required() @Nullable() @Text() phrase!: string | null;
}

/** seconds 0: off. */
export class EffectiveModelUnresponsive extends Resolved(AgentModelUnresponsive, []) {}

export class EffectiveVoicePolish {
  @Required() @Nested(() => EffectiveDeliveries) delivery!: EffectiveDeliveries;
  /** null: nothing is said at the end. */
  @Required() @Nullable() @Text() end_of_call_phrase!: string | null;
  @Required() @Nested(() => EffectiveAcknowledgements) acknowledgements!: EffectiveAcknowledgements;
  @Required() @Nested(() => EffectiveToolWait) tool_wait!: EffectiveToolWait;
  @Required() @Nested(() => EffectiveUnrecognisedSpeech) unrecognised_speech!: EffectiveUnrecognisedSpeech;
  @Required() @Nested(() => EffectiveModelUnresponsive) model_unresponsive!: EffectiveModelUnresponsive;
}

/** hang_up and leave_message run in shadow mode; the call's evidence shows both. */
export class EffectiveVoicemail {
  @Required() @IsIn(voicemailModes) chosen!: (typeof voicemailModes)[number];
  @Required() @IsIn(['shadow', 'off']) effective!: 'shadow' | 'off';
}

export class EffectiveAnswerDetection extends Resolved(AgentAnswerDetection, byRule.answerDetection) {
  @Required() @Nested(() => EffectiveVoicemail) voicemail!: EffectiveVoicemail;
  /** The message in the call's language; null: none, so no message is left. */
  @Required() @Nullable() @Text() voicemail_message!: string | null;
}

export class EffectiveNavigation extends Resolved(AgentNavigation, byRule.navigation) {
  /** Whether this call navigates phone menus and hold queues. */
  @Required() @IsBoolean() active!: boolean;
  /** The tools that navigation adds to the agent's own; none if it is inactive. */
  @Required() @IsArray() @Text({}, { each: true }) tools!: string[];
}

/** Volume 0 to 1; 0 with `none`. */
export class EffectiveAudioEnvironment {
  @Required() @IsIn(audioPresets) preset!: (typeof audioPresets)[number];
  @Required() @IsNumber() volume!: number;
}

/** The texts and thresholds for one language that a call may switch to. */
export class EffectiveLanguage {
  @Required() @Text() locale!: string;
  @Required() @IsArray() @Text({}, { each: true }) acknowledgement_phrases!: string[];
  @Required() @IsArray() @Text({}, { each: true }) tool_wait_phrases!: string[];
  @Required() @IsArray() @Text({}, { each: true }) filler_words!: string[];
  @Required() @Nullable() @Text() voicemail_message!: string | null;
}

export class EffectiveTuning extends EffectiveTurns {
  /** For a call that follows its caller's language, each language of its publication; otherwise none. */
  @Required() @ListOf(() => EffectiveLanguage) languages!: EffectiveLanguage[];
  /** The language profile that the call starts with, fully resolved; greeting null: the model speaks first. */
  @Required() @IsObject() profile!: PublishedProfile;
  @Required() @Nested(() => EffectiveVoicePolish) voice_polish!: EffectiveVoicePolish;
  @Required() @Nested(() => EffectiveAnswerDetection) answer_detection!: EffectiveAnswerDetection;
  @Required() @Nested(() => EffectiveNavigation) navigation!: EffectiveNavigation;
  @Required() @Nested(() => EffectiveAudioEnvironment) audio_environment!: EffectiveAudioEnvironment;
}
