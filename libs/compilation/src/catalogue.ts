import type { OptionTable } from '@parley/contract';

/** The provider catalogue, from which a stack is selected (docs/reference/voice-stack.md). Plain data; prices in micro-USD, times in ms. */

export type VoiceFrontend = 'cascade' | 'engine_a_live' | 'engine_b_live';
export type CredentialKind = 'stt' | 'llm' | 'tts';
export type DeliveryProfile = 'natural' | 'lively' | 'calm' | 'precise';

/** How a voice implements a delivery (docs/reference/voice-stack.md#read); `unsupported` accepts the setting without effect. */
export type DeliveryControl = 'voice_settings' | 'instruction' | 'speed' | 'unsupported';

/** What one delivery profile resolves to: settings, an instruction, or a speed factor. */
export type DeliveryValue = string | number | Readonly<Record<string, string | number | boolean>>;

export type Figure = 'cost_micros_per_minute' | 'latency_ms' | 'candidate_limit';

/** The figures of every model. */
export interface Figures {
  readonly cost_micros_per_minute: number;
  readonly latency_ms: number;
  /**
   * Figures that no provider publishes per minute of call or for this model: estimates, and prices per character, token or minute of speech, based on a
   * typical conversation.
   */
  readonly estimated: readonly Figure[];
  /** The allowed `options` of a selection; absent: none. */
  readonly options?: OptionTable;
}

export interface ConversationEngine extends Figures {
  /** Whether this release's engine can conduct calls with it. */
  readonly available: boolean;
  readonly label: string;
  /** False: languages, language_profiles and follow_caller have no effect on this engine (docs/reference/voice-stack.md). */
  readonly has_language_axis: boolean;
  /** Whether phone-menu navigation can run on it (docs/reference/tuning.md). */
  readonly supports_navigation: boolean;
  /** The engine's price: in addition to the components (cascade) or instead of them (live engines). */
  readonly cost_micros_per_minute: number;
  readonly latency_ms: number;
}

export interface TranscriberModel extends Figures {
  readonly model: string;
  /** null: any language. */
  readonly languages: readonly string[] | null;
  readonly cost_micros_per_minute: number;
  /** From the end of a word to its transcript, typical. */
  readonly latency_ms: number;
  /** Partial results arrive during speech, so that min_interruption_words can be checked. */
  readonly fast_words: boolean;
  /** Maximum of languages recognized in one connection; 1: it cannot follow a caller's language. */
  readonly candidate_limit: number;
  /** Those of its languages that one connection can distinguish; absent: all of them. */
  readonly followed_languages?: readonly string[];
}

export interface LanguageModel extends Figures {
  readonly model: string;
  /** null: any language. */
  readonly languages: readonly string[] | null;
  readonly cost_micros_per_minute: number;
  /** To the first token, typical. */
  readonly latency_ms: number;
}

export interface VoiceModel extends Figures {
  readonly model: string;
  /** null: any language. */
  readonly languages: readonly string[] | null;
  readonly cost_micros_per_minute: number;
  /** To the first audio, typical. */
  readonly latency_ms: number;
  readonly delivery_control: DeliveryControl;
  /** Empty for `unsupported`. */
  readonly delivery_profiles: Readonly<Partial<Record<DeliveryProfile, DeliveryValue>>>;
  /** Used when a selection names none; null: a selection must name one. */
  readonly default_voice_id: string | null;
}

export interface Provider<Model> {
  readonly provider: string;
  readonly label: string;
  /** Whether a call needs a credential of this provider, the organization's own or a platform-managed one. */
  readonly requires_account: boolean;
  /** Whether this release's engine can conduct calls with it. */
  readonly available: boolean;
  /** The server names the models: unlisted ones behave like the only one that is listed. */
  readonly any_model?: boolean;
  readonly models: readonly Model[];
}

export interface Component {
  readonly provider: string;
  readonly model: string;
}

export interface Catalogue {
  readonly conversation_engines: Readonly<Record<VoiceFrontend, ConversationEngine>>;
  readonly transcribers: readonly Provider<TranscriberModel>[];
  readonly models: readonly Provider<LanguageModel>[];
  readonly voices: readonly Provider<VoiceModel>[];
  /** The components of an agent without its own selection. */
  readonly defaults: {
    readonly language: string;
    readonly transcriber: Component;
    readonly model: Component;
    readonly voice: Component;
  };
  /** Providers at which the platform itself has an account. */
  readonly platform_managed: readonly string[];
  readonly navigation: {
    readonly released: boolean;
    readonly languages: readonly string[];
    readonly max_transcriber_connections: number;
  };
}

/** Finds a component's entry with its provider; undefined if it is not in the catalogue. */
export function findModel<Model extends { model: string }>(
  providers: readonly Provider<Model>[],
  component: Component,
): { provider: Provider<Model>; entry: Model } | undefined {
  const provider = providers.find((candidate) => candidate.provider === component.provider);
  const { model } = component;
  const listed = provider?.models.find((candidate) => candidate.model === model);
  const [any] = provider?.any_model === true ? provider.models : [];
  const entry = listed ?? (any && { ...any, model });
  return provider !== undefined && entry !== undefined ? { provider, entry } : undefined;
}

/** The languages that a transcriber distinguishes within one connection; null: any. */
export const followedBy = ({ followed_languages: followed, languages }: TranscriberModel): readonly string[] | null =>
  followed ?? languages;
