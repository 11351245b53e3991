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
import type { BlockerCode } from './readiness';

/** The configuration of an agent that the agents service sends to the voice-stack service for compilation, merged from its stored parts. Null: not set. */
export interface VoiceStackConfiguration {
  organization_id: string;
  mode: AgentMode;
  voice_frontend: VoiceFrontend;
  language: string | null;
  /** Null before languages were configured for the agent. */
  languages: string[] | null;
  language_profiles: AgentLanguageProfileOverride[];
  follow_caller: AgentFollowCaller | null;
  system_prompt: string | null;
  first_message: string | null;
  transcriber: VoiceComponentSelection | null;
  model: VoiceComponentSelection | null;
  /** A string is a legacy voice id of the default provider. */
  voice: VoiceComponentSelection | string | null;
  tools: AgentTool[];
  translation: TranslationPolicy | null;
  component_credential_bindings: ComponentCredentialBindings;
  /**
   * The provider of each bound credential, by kind. If a bound kind is missing here, its credential no longer exists. If the whole field is absent, providers
   * are unknown, and only the kind is checked.
   */
  component_credential_providers?: Partial<Record<keyof ComponentCredentialBindings, string>>;
  /** The organization's standby credentials: by kind, the id of the credential for each provider. Absent: none. */
  component_credential_standby?: Partial<Record<keyof ComponentCredentialBindings, Record<string, string>>>;
  variables?: VariablesConfig | null;
}

/** A reason why a configuration cannot be published or run. */
export interface Blocker {
  code: BlockerCode;
  /** The part at fault, such as `language:<l>`, `transcriber`, `credential:<kind>`, `tools`, `carrier` or `agent`. */
  scope: string;
  detail: string;
}

/** One value per component, and their total. */
export interface ProjectedFigures {
  engine: number;
  transcriber: number;
  model: number;
  voice: number;
  total: number;
  /** Whether at least one value is the catalogue's estimate instead of the provider's own value. */
  estimated: boolean;
  /** The components whose value is unknown and counts as 0: `transcriber`, `model` or `voice`. */
  unknown: string[];
}

/** The computed part of the voice-stack read (docs/reference/voice-stack.md#read). */
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
  /** Why the stack cannot navigate phone menus; null if it can. The agents service adds reasons that concern the agent itself. */
  navigation_ineligible_reason: NavigationIneligibleReason | null;
  /** The languages that a publication of this configuration contains (docs/reference/voice-stack.md#languages). */
  published: PublishedLanguages;
}

/** The published_* fields of AgentLanguageProfiles. */
export interface PublishedLanguages {
  languages: string[];
  follow_caller: AgentFollowCaller | null;
  /** Empty unless the agent follows the caller's language. */
  starting_language: string;
}

/** A language of a publication, with all inherited values resolved. */
export interface PublishedProfile {
  locale: string;
  greeting: string | null;
  transcriber: ProfileTranscriber;
  voice: ProfileVoice;
}

/**
 * The content of a publication, which is identified by the SHA-256 of its canonical JSON: everything that a worker needs to conduct a call, without secrets.
 */
export interface Publication {
  version: 1;
  voice_frontend: VoiceFrontend;
  language: string;
  languages: string[];
  profiles: PublishedProfile[];
  /** Null unless the agent follows the caller's language. */
  starting_language: string | null;
  follow_caller: AgentFollowCaller | null;
  system_prompt: string | null;
  first_message: string | null;
  transcriber: VoiceComponentSelection;
  model: VoiceComponentSelection;
  voice: VoiceComponentSelection;
  tools: AgentTool[];
  translation: TranslationPolicy | null;
  /** Absent if the agent declares no variables. */
  variables?: VariablesConfig;
}
