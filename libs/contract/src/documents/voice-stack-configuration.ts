import type {
  AgentMode,
  ComponentCredentialBindings,
  TranslationPolicy,
  VoiceComponentSelection,
  VoiceFrontend,
} from '../objects/components';
import type {
  AgentFollowCaller,
  AgentLanguageProfileOverride,
  ProfileTranscriber,
  ProfileVoice,
} from '../objects/languages';
import type { NavigationIneligibleReason } from '../objects/navigation';
import type { AgentTool } from '../objects/tools';
import type { ComponentView, VoiceView } from '../objects/agent-view';
import type { VariablesConfig } from '../objects/variables';

/** What agents hands to voice-stack for compilation: the merged stored configuration of one agent. Null: not set. */
export interface VoiceStackConfiguration {
  organization_id: string;
  mode: AgentMode;
  voice_frontend: VoiceFrontend;
  language: string | null;
  /** Null before the language opt-in. */
  languages: string[] | null;
  language_profiles: AgentLanguageProfileOverride[];
  follow_caller: AgentFollowCaller | null;
  system_prompt: string | null;
  first_message: string | null;
  transcriber: VoiceComponentSelection | null;
  model: VoiceComponentSelection | null;
  /** A string is a legacy pinned voice id of the default provider. */
  voice: VoiceComponentSelection | string | null;
  tools: AgentTool[];
  translation: TranslationPolicy | null;
  component_credential_bindings: ComponentCredentialBindings;
  /** Whose each bound credential is, by kind; a bound kind that is missing here has no credential any more. Absent: not known, the kind alone counts. */
  component_credential_providers?: Partial<Record<keyof ComponentCredentialBindings, string>>;
  /** The organization's standby credentials: by kind, the id by provider. Absent: none. */
  component_credential_standby?: Partial<Record<keyof ComponentCredentialBindings, Record<string, string>>>;
  variables?: VariablesConfig | null;
}

/** Why something cannot be published or run. */
export interface Blocker {
  /** Such as voice_id_missing, language_not_supported, provider_unknown, credential_missing. */
  code: string;
  /** `language:<l>`, `transcriber`, `model`, `voice`, `credential:<kind>` or `tools`. */
  scope: string;
  detail: string;
}

/** A figure of each component, and their total. */
export interface ProjectedFigures {
  engine: number;
  transcriber: number;
  model: number;
  voice: number;
  total: number;
  /** Whether one of them is an estimate of the catalogue rather than a provider's own figure. */
  estimated: boolean;
}

/** The computed part of the read projection (docs/reference/voice-stack.md#read). */
export interface VoiceStackProjection {
  /** The effective primary language. */
  language: string;
  transcriber: ComponentView;
  model: ComponentView;
  voice: VoiceView;
  voice_label: string | null;
  /** Micro-USD a minute. */
  cost: ProjectedFigures;
  /** Milliseconds. */
  latency: ProjectedFigures;
  selectable: boolean;
  warnings: string[];
  /** Why the stack cannot navigate phone menus; null when it can. The agent's own reasons are joined by its owner. */
  navigation_ineligible_reason: NavigationIneligibleReason | null;
  /** What a publication of this configuration freezes (docs/reference/voice-stack.md#languages). */
  published: PublishedLanguages;
}

/** The published_* fields of AgentLanguageProfiles. */
export interface PublishedLanguages {
  languages: string[];
  follow_caller: AgentFollowCaller | null;
  /** Empty when Follow is not enabled. */
  starting_language: string;
}

/** A language of a publication with everything resolved: nothing is inherited any more. */
export interface PublishedProfile {
  locale: string;
  greeting: string | null;
  transcriber: ProfileTranscriber;
  voice: ProfileVoice;
}

/** A publication's content, addressed by the SHA-256 of its canonical JSON. What a worker needs to conduct a call; no secrets. */
export interface Publication {
  version: 1;
  voice_frontend: VoiceFrontend;
  language: string;
  languages: string[];
  profiles: PublishedProfile[];
  /** Null when Follow is not enabled. */
  starting_language: string | null;
  follow_caller: AgentFollowCaller | null;
  system_prompt: string | null;
  first_message: string | null;
  transcriber: VoiceComponentSelection;
  model: VoiceComponentSelection;
  voice: VoiceComponentSelection;
  tools: AgentTool[];
  translation: TranslationPolicy | null;
  /** Absent where the agent declares none. */
  variables?: VariablesConfig;
}
