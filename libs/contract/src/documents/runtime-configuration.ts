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
  /** Header values are sealed. */
  tools: StoredTool[];
  recording_enabled: boolean;
  /** Whether transcripts and messages of the agent are translated, and into what. */
  translation?: TranslationPolicy;
  /** The published workflow that conducts the call; absent: the model does. */
  workflow?: { version: number; sha256: string; definition: WorkflowDefinition };
  /** What the tool query_knowledge asks; absent: nothing. */
  knowledge_base_ids?: string[];
}

/** What a worker gets with a claimed job. */
export interface RuntimeConfiguration {
  publication: Publication;
  /** Header values of tools read as *** for workers, who open them under their lease. */
  tuning: CallTuning & { tools: AgentTool[] };
  effective: EffectiveTuning;
  /** Said to its end before anything is recorded; null: there is none in the language of the call, which is not recorded. Absent: nothing has to be said. */
  recording_announcement?: { text: string } | null;
  /** From the answer, until the call has cost what its organization lets one cost. Absent: nothing limits that. */
  spend_cap_seconds?: number;
  variables: Record<string, unknown>;
  /** hosted, external_text or external_audio. */
  mode: string;
}
