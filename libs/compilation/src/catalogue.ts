import type { OptionTable } from '@parley/contract';

/** The provider catalogue, from which a stack is selected (docs/reference/voice-stack.md). Plain data; prices in micro-USD, times in ms. */

export type VoiceFrontend = 'cascade' | 'engine_a_live' | 'engine_b_live';
export type CredentialKind = 'stt' | 'llm' | 'tts';
export type DeliveryProfile = 'natural' | 'lively' | 'calm' | 'precise';

/** How a voice implements a delivery (docs/reference/voice-stack.md#read); `unsupported` accepts the setting without effect. */
export type DeliveryControl = 'voice_settings' | 'instruction' | 'speed' | 'unsupported';

/** The value of a delivery profile for a voice: settings, an instruction, or a speed factor. */
export type DeliveryValue = string | number | Readonly<Record<string, string | number | boolean>>;

export type Figure = 'cost_micros_per_minute' | 'latency_ms' | 'candidate_limit';

/** The figures that all models have. */
export interface Figures {
  readonly cost_micros_per_minute: number;
  readonly latency_ms: number;
  /**
   * Figures that are estimates, because the provider publishes none per minute of call or none for this model. They include prices per character, token or
   * minute of speech that were converted for a typical conversation.
   */
  readonly estimated: readonly Figure[];
  /** Set if cost or latency is unknown and counts as 0. */
  readonly unknown?: boolean;
  /** The `options` that a selection may contain; absent: none. */
  readonly options?: OptionTable;
}

export interface ConversationEngine extends Figures {
  /** Whether this release can conduct calls with the engine. */
  readonly available: boolean;
  readonly label: string;
  /** False: languages, language_profiles and follow_caller have no effect with this engine (docs/reference/voice-stack.md). */
  readonly has_language_axis: boolean;
  /** Whether calls with this engine can navigate phone menus (docs/reference/tuning.md). */
  readonly supports_navigation: boolean;
  /** The price of the engine: in addition to the components (cascade), or instead of them (live engines). */
  readonly cost_micros_per_minute: number;
  readonly latency_ms: number;
}

export interface TranscriberModel extends Figures {
  readonly model: string;
  /** null: any language. */
  readonly languages: readonly string[] | null;
  readonly cost_micros_per_minute: number;
  /** Typical time from the end of a word to its transcript. */
  readonly latency_ms: number;
  /** Whether partial results arrive during speech, so that min_interruption_words can be checked. */
  readonly fast_words: boolean;
  /** Maximum of languages recognized in one connection; with 1 it cannot follow a caller's language. */
  readonly candidate_limit: number;
  /** Those of its languages that it can distinguish within one connection; absent: all of them. */
  readonly followed_languages?: readonly string[];
}

export interface LanguageModel extends Figures {
  readonly model: string;
  /** null: any language. */
  readonly languages: readonly string[] | null;
  readonly cost_micros_per_minute: number;
  /** Typical time to the first token. */
  readonly latency_ms: number;
}

export interface VoiceModel extends Figures {
  readonly model: string;
  /** null: any language. */
  readonly languages: readonly string[] | null;
  readonly cost_micros_per_minute: number;
  /** Typical time to the first audio. */
  readonly latency_ms: number;
  readonly delivery_control: DeliveryControl;
  /** Empty for `unsupported`. */
  readonly delivery_profiles: Readonly<Partial<Record<DeliveryProfile, DeliveryValue>>>;
  /** Used if a selection specifies no voice; null: a selection must specify one. */
  readonly default_voice_id: string | null;
  /** The ids of voices that every account has. */
  readonly known_voices?: readonly string[];
}

export interface Provider<Model> {
  readonly provider: string;
  readonly label: string;
  /** Whether a call needs a credential of this provider, the organization's own or a platform-managed one. */
  readonly requires_account: boolean;
  /** Whether this release can conduct calls with it. */
  readonly available: boolean;
  /** Whether the server defines the models, so that unlisted models are as usual as listed ones. */
  readonly any_model?: boolean;
  /** What holds for unlisted models. Absent: they cannot be used. */
  readonly unlisted?: Omit<Model, 'model'>;
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
  /** The components of an agent that selected none. */
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

/** The catalogue entry of a component. */
export interface Found<Model> {
  readonly provider: Provider<Model>;
  readonly entry: Model;
  /** Whether the catalogue lists the model, or the provider lets the server define its models. */
  readonly listed: boolean;
}

/** Finds the catalogue entry of a component; undefined if its provider is not in the catalogue or has no unlisted models. */
export function findModel<Model extends { model: string }>(
  providers: readonly Provider<Model>[],
  { provider: name, model }: Component,
): Found<Model> | undefined {
  const provider = providers.find((candidate) => candidate.provider === name);
  if (provider === undefined) return undefined;
  const listed = provider.models.find((candidate) => candidate.model === model);
  if (listed !== undefined) return { provider, entry: listed, listed: true };
  if (provider.unlisted === undefined) return undefined;
  return { provider, entry: { ...provider.unlisted, model } as Model, listed: provider.any_model === true };
}

/** The languages that a transcriber can distinguish within one connection; null: any. */
export const followedBy = ({ followed_languages: followed, languages }: TranscriberModel): readonly string[] | null =>
  followed ?? languages;
