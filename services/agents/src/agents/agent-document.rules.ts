import type {
  Agent,
  AgentVoiceStackUpdate,
  ComponentCredentialBindings,
  StoredTool,
  VariablesConfig,
} from '@parley/contract';

/**
 * The stored configuration of an agent: one JSON document in which an absent field was never set. Values are stored in the form in which reads return them.
 * Identity, status, revision and publication are separate columns.
 */
export interface AgentDocument {
  readonly mode: Agent['mode'];
  readonly voice_frontend: NonNullable<Agent['voice_frontend']>;
  readonly name?: string;
  readonly language?: string;
  /** Absent until the agent opts in to languages (docs/reference/agents.md). */
  readonly languages?: readonly string[];
  readonly language_profiles: readonly LanguageProfile[];
  readonly follow_caller?: NonNullable<Agent['follow_caller']>;
  readonly system_prompt?: string;
  readonly first_message?: string;
  readonly transcriber?: NonNullable<AgentVoiceStackUpdate['transcriber']>;
  readonly model?: NonNullable<AgentVoiceStackUpdate['model']>;
  readonly voice?: NonNullable<Agent['voice']>;
  readonly tools: readonly StoredTool[];
  readonly translation?: NonNullable<Agent['translation']>;
  readonly recording_enabled: boolean;
  /** Absent until it is set: the agent does not answer. */
  readonly answers_messages?: boolean;
  readonly webhook_url?: string;
  readonly audio_stream_url?: string;
  readonly component_credential_bindings: ComponentCredentialBindings;
  readonly opening?: Opening;
  readonly turn_taking?: TurnTaking;
  readonly voice_polish?: VoicePolish;
  readonly answer_detection?: AnswerDetection;
  readonly audio_environment?: AudioEnvironment;
  readonly navigation?: Navigation;
  /** Absent while none is declared. */
  readonly variables?: VariablesConfig;
  /** Free-form; never contains the sections that are stored separately. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export type LanguageProfile = NonNullable<Agent['language_profiles']>[number];
export type Opening = NonNullable<AgentVoiceStackUpdate['opening']>;
export type TurnTaking = NonNullable<AgentVoiceStackUpdate['turn_taking']>;
export type VoicePolish = NonNullable<AgentVoiceStackUpdate['voice_polish']>;
export type AnswerDetection = NonNullable<AgentVoiceStackUpdate['answer_detection']>;
export type AudioEnvironment = NonNullable<AgentVoiceStackUpdate['audio_environment']>;

/** Phone-menu navigation as stored: the setting and the limits that were set (docs/reference/tuning.md). */
export interface Navigation {
  readonly enabled: boolean | null;
  readonly max_hold_seconds?: number;
  readonly max_navigation_seconds?: number;
}
