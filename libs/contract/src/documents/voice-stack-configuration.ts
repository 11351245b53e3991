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

/** The input of compilation that agents sends to voice-stack: the merged stored configuration of one agent. Null: not set. */
export interface VoiceStackConfiguration {
  organization_id: string;
  mode: AgentMode;
  voice_frontend: VoiceFrontend;
  language: string | null;
  /** Null before the agent opted in to languages. */
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
  /** The provider of each bound credential, by kind; a bound kind that is missing here no longer has a credential. Absent: unknown, so only the kind counts. */
  component_credential_providers?: Partial<Record<keyof ComponentCredentialBindings, string>>;
  /** The organization's standby credentials: by kind, the credential id for each provider. Absent: none. */
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

/** A value per component, and their total. */
export interface ProjectedFigures {
  engine: number;
  transcriber: number;
  model: number;
  voice: number;
  total: number;
  /** Whether one of them is an estimate of the catalogue instead of a provider's own value. */
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
  /** Micro-USD per minute. */
  cost: ProjectedFigures;
  /** Milliseconds. */
  latency: ProjectedFigures;
  selectable: boolean;
  warnings: string[];
  /** Why the stack cannot navigate phone menus; null if it can. The agents service adds the agent's own reasons. */
  navigation_ineligible_reason: NavigationIneligibleReason | null;
  /** The languages that a publication of this configuration freezes (docs/reference/voice-stack.md#languages). */
  published: PublishedLanguages;
}

/** The published_* fields of AgentLanguageProfiles. */
export interface PublishedLanguages {
  languages: string[];
  follow_caller: AgentFollowCaller | null;
  /** Empty if following the caller's language is not enabled. */
  starting_language: string;
}

/** A language of a publication with all inherited values resolved. */
export interface PublishedProfile {
  locale: string;
  greeting: string | null;
  transcriber: ProfileTranscriber;
  voice: ProfileVoice;
}

/** A publication's content, addressed by the SHA-256 of its canonical JSON: everything that a worker needs to conduct a call, without secrets. */
export interface Publication {
  version: 1;
  voice_frontend: VoiceFrontend;
  language: string;
  languages: string[];
  profiles: PublishedProfile[];
  /** Null if following the caller's language is not enabled. */
  starting_language: string | null;
  follow_caller: AgentFollowCaller | null;
  system_prompt: string | null;
  first_message: string | null;
  transcriber: VoiceComponentSelection;
  model: VoiceComponentSelection;
  voice: VoiceComponentSelection;
  tools: AgentTool[];
  translation: TranslationPolicy | null;
  /** Absent if the agent declares none. */
  variables?: VariablesConfig;
}
