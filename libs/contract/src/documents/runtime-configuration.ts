import type { AgentSettingValues } from '../objects/agent-settings';
import type { WorkflowDefinition } from '../objects/workflow';
import type { AgentAnswerDetection } from '../objects/answer-detection';
import type { AgentAudioEnvironment } from '../objects/audio-environment';
import type { TranslationPolicy } from '../objects/components';
import type { AgentNavigation, NavigationIneligibleReason } from '../objects/navigation';
import type { AgentOpening } from '../objects/opening';
import type { AgentTool } from '../objects/tools';
import type { StoredTool } from './stored-tool';
import type { AgentTurnTaking } from '../objects/turn-taking';
import type { AgentVoicePolish } from '../objects/voice-polish';
import type { EffectiveTuning } from './effective-tuning';
import type { Publication } from './voice-stack-configuration';

/** The tuning to which a call is pinned at its start, as stored; for an absent section the defaults apply. */
export interface CallTuning {
  opening?: AgentOpening;
  turn_taking?: AgentTurnTaking;
  voice_polish?: AgentVoicePolish;
  answer_detection?: AgentAnswerDetection;
  navigation?: AgentNavigation;
  /** Why the agent currently cannot navigate (including `turned_off`); null if it can. */
  navigation_ineligible_reason: NavigationIneligibleReason | null;
  audio_environment?: AgentAudioEnvironment;
  /** Header values are encrypted. */
  tools: StoredTool[];
  recording_enabled: boolean;
  /** Whether transcripts and messages of the agent are translated, and into which language. */
  translation?: TranslationPolicy;
  /** Whether the agent answers incoming messages; absent: it does not. */
  answers_messages?: boolean;
  /** The published workflow that conducts the call; absent: the model conducts it. */
  workflow?: { version: number; sha256: string; definition: WorkflowDefinition };
  /** The knowledge bases that the tool query_knowledge searches; absent: none. */
  knowledge_base_ids?: string[];
  /** The settings that are resources of their own and were saved. */
  settings?: AgentSettingValues;
}

/** The configuration that a worker receives with a claimed job. */
export interface RuntimeConfiguration {
  publication: Publication;
  /** For workers, header values of tools are ***; workers request the values under their lease. */
  tuning: CallTuning & { tools: AgentTool[] };
  effective: EffectiveTuning;
  /**
   * The announcement that is spoken completely before the recording starts; null: there is none in the call's language, so the call is not recorded. Absent: no
   * announcement is required.
   */
  recording_announcement?: { text: string } | null;
  /** Seconds from the answer until the call reaches its organization's maximum cost. Absent: unlimited. */
  spend_cap_seconds?: number;
  variables: Record<string, unknown>;
  /** hosted, external_text or external_audio. */
  mode: string;
}
