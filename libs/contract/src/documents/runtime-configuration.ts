import type { FirstSpeaker } from '../objects/opening';
import type { AgentAnswerDetection } from '../objects/answer-detection';
import type { AgentAudioEnvironment } from '../objects/audio-environment';
import type { AgentNavigation } from '../objects/navigation';
import type { AgentOpening } from '../objects/opening';
import type { AgentTool } from '../objects/tools';
import type { AgentTurnTaking } from '../objects/turn-taking';
import type { AgentVoicePolish } from '../objects/voice-polish';
import type { Publication } from './voice-stack-configuration';

/** The tuning that a call pins at its start, as stored; an absent section follows the defaults. */
export interface CallTuning {
  opening?: AgentOpening;
  turn_taking?: AgentTurnTaking;
  voice_polish?: AgentVoicePolish;
  answer_detection?: AgentAnswerDetection;
  navigation?: AgentNavigation;
  audio_environment?: AgentAudioEnvironment;
  tools: AgentTool[];
  recording_enabled: boolean;
}

/** Values with presets and defaults applied (2.6), so that whoever conducts the call only applies numbers. */
export interface EffectiveTuning {
  first_speaker: FirstSpeaker;
  silence_wait_seconds: number;
  max_call_seconds: number;
  no_caller_speech_seconds: number;
  /** Milliseconds of speech that interrupt the agent; at least 150 on phone calls. */
  interruption_threshold_ms: number;
  /** Words that an interruption must carry besides. */
  min_interruption_words: number;
  /** Milliseconds of silence that end a turn, with the trained detector: judged finished, judged probably not finished; and without it. */
  end_of_turn_ms: { finished: number; unfinished: number; without_detector: number };
}

/** What a worker gets with a claimed job. */
export interface RuntimeConfiguration {
  publication: Publication;
  tuning: CallTuning;
  effective: EffectiveTuning;
  variables: Record<string, unknown>;
}
