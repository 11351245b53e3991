import type { WorkflowDefinition } from '../objects/workflow';
import type { DeliveryControl } from '../objects/agent-view';
import type { AgentAnswerDetection, nonHumanAudioModes, voicemailModes } from '../objects/answer-detection';
import type { AgentAudioEnvironment, audioPresets } from '../objects/audio-environment';
import type { TranslationPolicy } from '../objects/components';
import type { AgentNavigation, NavigationIneligibleReason } from '../objects/navigation';
import type { AgentOpening, FirstSpeaker } from '../objects/opening';
import type { AgentTool } from '../objects/tools';
import type { AgentTurnTaking } from '../objects/turn-taking';
import type { AgentVoicePolish, deliveries, toolWaitModes } from '../objects/voice-polish';
import type { Publication, PublishedProfile } from './voice-stack-configuration';

/** The tuning that a call pins at its start, as stored; an absent section follows the defaults. */
export interface CallTuning {
  opening?: AgentOpening;
  turn_taking?: AgentTurnTaking;
  voice_polish?: AgentVoicePolish;
  answer_detection?: AgentAnswerDetection;
  navigation?: AgentNavigation;
  /** Why the agent cannot navigate as it stands (`turned_off` included); null when it can. */
  navigation_ineligible_reason: NavigationIneligibleReason | null;
  audio_environment?: AgentAudioEnvironment;
  tools: AgentTool[];
  recording_enabled: boolean;
  /** Whether transcripts and messages of the agent are translated, and into what. */
  translation?: TranslationPolicy;
  /** The published workflow that conducts the call; absent: the model does. */
  workflow?: { version: number; sha256: string; definition: WorkflowDefinition };
}

/**
 * Values with presets and defaults applied (2.6), so that whoever conducts the call only applies numbers. Nothing is optional: what does
 * not apply to this call says so.
 */
export interface EffectiveTuning extends EffectiveTurns {
  /** The language profile that the call starts with, every value resolved; greeting null: the model begins. */
  profile: PublishedProfile;
  first_speaker: FirstSpeaker;
  /** Used when the callee speaks first. */
  silence_wait_seconds: number;
  voice_polish: EffectiveVoicePolish;
  answer_detection: EffectiveAnswerDetection;
  navigation: EffectiveNavigation;
  /** Volume 0 to 1; 0 with `none`. */
  audio_environment: { preset: (typeof audioPresets)[number]; volume: number };
}

export interface EffectiveTurns {
  max_call_seconds: number;
  no_caller_speech_seconds: number;
  /** Milliseconds of speech that interrupt the agent; at least 150 on phone calls. */
  interruption_threshold_ms: number;
  /** Recognized words that an interruption must carry besides; 0: none. */
  min_interruption_words: number;
  /** Words that do not count towards it, lower case. */
  filler_words: string[];
  /** Milliseconds of silence that end a turn, with the trained detector: judged finished, judged probably not finished; and without it. */
  end_of_turn_ms: { finished: number; unfinished: number; without_detector: number };
}

/** What a delivery resolves to: voice settings, an instruction, or a factor on the usual pace. */
export type DeliveryValue = string | number | Readonly<Record<string, string | number | boolean>>;
export type Delivery = (typeof deliveries)[number];

/** The chosen delivery at one voice of the call. */
export interface EffectiveDelivery {
  provider: string;
  model: string;
  delivery_control: DeliveryControl;
  /** null: nothing is changed, because none was chosen or the voice takes none. */
  value: DeliveryValue | null;
}

export interface EffectiveVoicePolish {
  /** `voices`: that of the starting profile first, then the others of the publication, each once; none on a voice-to-voice engine. */
  delivery: { chosen: Delivery | null; voices: EffectiveDelivery[] };
  /** null: nothing is said at the end. */
  end_of_call_phrase: string | null;
  /** Without phrases it stays silent. */
  acknowledgements: { enabled: boolean; delay_ms: number; phrases: string[] };
  tool_wait: {
    mode: (typeof toolWaitModes)[number];
    delay_ms: number;
    phrases: string[];
    /** The longest that the sound bed plays. */
    sound_seconds: number;
    /** Tools during which nothing is heard. */
    silent_tools: string[];
  };
  /** phrase null: there is none in the call's language. */
  unrecognised_speech: { enabled: boolean; max_per_call: number; phrase: string | null };
  /** 0: off. */
  model_unresponsive: { seconds: number };
}

export interface EffectiveAnswerDetection {
  non_human_audio: (typeof nonHumanAudioModes)[number];
  /** hang_up and leave_message run as shadow; the call's evidence shows both. */
  voicemail: { chosen: (typeof voicemailModes)[number]; effective: 'shadow' | 'off' };
  /** The message for the call's language; null: none, then a mailbox is left without one. */
  voicemail_message: string | null;
}

export interface EffectiveNavigation {
  /** Whether this call navigates phone menus and hold queues. */
  active: boolean;
  max_hold_seconds: number;
  max_navigation_seconds: number;
  /** The tools that navigation adds to the agent's own; none while it is not active. */
  tools: string[];
}

/** What a worker gets with a claimed job. */
export interface RuntimeConfiguration {
  publication: Publication;
  tuning: CallTuning;
  effective: EffectiveTuning;
  variables: Record<string, unknown>;
}
