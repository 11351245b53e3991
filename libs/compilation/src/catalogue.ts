import type { OptionTable } from '@parley/contract';

/** What a stack is chosen from: the provider catalogue (docs/reference/voice-stack.md). Plain data; prices in micro-USD, times in ms. */

export type VoiceFrontend = 'cascade' | 'engine_a_live' | 'engine_b_live';
export type CredentialKind = 'stt' | 'llm' | 'tts';
export type DeliveryProfile = 'natural' | 'lively' | 'calm' | 'precise';

/** How a voice takes a delivery (docs/reference/voice-stack.md#read); `unsupported` accepts the setting and changes nothing. */
export type DeliveryControl = 'voice_settings' | 'instruction' | 'speed' | 'unsupported';

/** What one delivery profile resolves to: settings, an instruction, or a speed factor. */
export type DeliveryValue = string | number | Readonly<Record<string, string | number | boolean>>;

export type Figure = 'cost_micros_per_minute' | 'latency_ms' | 'candidate_limit';

/** What every model of a component has. */
export interface Figures {
  readonly cost_micros_per_minute: number;
  readonly latency_ms: number;
  /**
   * The figures that no provider states for a minute of call or for this model: estimates, and prices by character, token or
   * minute of speech, which rest on a typical conversation.
   */
  readonly estimated: readonly Figure[];
  /** What `options` of a selection may hold; absent: nothing. */
  readonly options?: OptionTable;
}

export interface ConversationEngine extends Figures {
  /** Whether the engine of this release can conduct calls with it. */
  readonly available: boolean;
  readonly label: string;
  /** False: languages, language_profiles and follow_caller have no meaning on this engine (docs/reference/voice-stack.md). */
  readonly has_language_axis: boolean;
  /** Whether phone-menu navigation can run on it (docs/reference/tuning.md). */
  readonly supports_navigation: boolean;
  /** What the engine adds to (cascade) or is instead of (live engines) the components. */
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
  /** Words arrive while they are spoken, so that min_interruption_words can be judged. */
  readonly fast_words: boolean;
  /** How many languages one connection can listen for at once; 1: it cannot follow a caller. */
  readonly candidate_limit: number;
  /** Those of its languages that one connection distinguishes; absent: all of them. */
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
  /** Whether the engine of this release can conduct calls with it. */
  readonly available: boolean;
  /** Its server names the models: each is as the only one that is listed. */
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
  /** What an agent without a selection of its own runs on. */
  readonly defaults: {
    readonly language: string;
    readonly transcriber: Component;
    readonly model: Component;
    readonly voice: Component;
  };
  /** Providers for which the platform itself holds an account. */
  readonly platform_managed: readonly string[];
  readonly navigation: {
    readonly released: boolean;
    readonly languages: readonly string[];
    readonly max_transcriber_connections: number;
  };
}

/** Finds a component's entry with its provider; undefined when the catalogue does not know it. */
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
