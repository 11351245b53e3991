import type { VoiceStackConfiguration } from '@parley/contract';
import {
  findModel,
  type Catalogue,
  type Component,
  type Found,
  type LanguageModel,
  type Provider,
  type TranscriberModel,
  type VoiceModel,
} from './catalogue';

/** A selected component: the selection completed with defaults, and its catalogue entry. */
export interface Chosen<Model> {
  readonly selection: Component & {
    readonly options?: Readonly<Record<string, unknown>>;
    readonly fallbacks?: readonly Component[];
  };
  /** Absent: the provider or the model is not in the catalogue. */
  readonly found: Found<Model> | undefined;
  readonly isProviderKnown: boolean;
}

export interface ChosenVoice extends Chosen<VoiceModel> {
  /** Empty: no voice was selected, and the provider has no default. */
  readonly voiceId: string;
  /** The legacy label, if the configuration contains a string (docs/reference/agents.md and docs/reference/voice-stack.md). */
  readonly label: string | undefined;
}

export interface Stack {
  readonly transcriber: Chosen<TranscriberModel>;
  readonly model: Chosen<LanguageModel>;
  readonly voice: ChosenVoice;
  /** The fallbacks in the order in which they are tried. */
  readonly fallbacks: {
    readonly transcriber: readonly Chosen<TranscriberModel>[];
    readonly model: readonly Chosen<LanguageModel>[];
    readonly voice: readonly ChosenVoice[];
  };
}

/** Completes the shared components of a configuration with the catalogue's defaults. */
export function resolveStack(configuration: VoiceStackConfiguration, catalogue: Catalogue): Stack {
  const { transcriber, model, voice } = configuration;
  const voices = typeof voice === 'string' ? [] : (voice?.fallbacks ?? []);
  return {
    transcriber: choose(catalogue.transcribers, transcriber ?? catalogue.defaults.transcriber),
    model: choose(catalogue.models, model ?? catalogue.defaults.model),
    voice: chooseVoice(voice ?? undefined, catalogue),
    fallbacks: {
      transcriber: (transcriber?.fallbacks ?? []).map((one) => choose(catalogue.transcribers, one)),
      model: (model?.fallbacks ?? []).map((one) => choose(catalogue.models, one)),
      voice: voices.map((one) => chooseVoice(one, catalogue)),
    },
  };
}

/** Looks up a selection in the catalogue. */
export function choose<Model extends { model: string }>(
  providers: readonly Provider<Model>[],
  selection: Chosen<Model>['selection'],
): Chosen<Model> {
  const isProviderKnown = providers.some(({ provider }) => provider === selection.provider);
  return { selection, found: findModel(providers, selection), isProviderKnown };
}

/** Resolves the selected voice. A legacy string is a voice id of the default voice: in a creation a pinned voice id, in an update a label. */
export function chooseVoice(voice: VoiceStackConfiguration['voice'] | undefined, catalogue: Catalogue): ChosenVoice {
  const isLabel = typeof voice === 'string';
  const selection = isLabel ? catalogue.defaults.voice : (voice ?? catalogue.defaults.voice);
  const chosen = choose(catalogue.voices, selection);
  const named = isLabel ? voice : voice?.voice_id;
  return {
    ...chosen,
    voiceId: named ?? chosen.found?.entry.default_voice_id ?? '',
    label: isLabel ? voice : undefined,
  };
}

/** Identifies a component: equal keys mean the same component. */
export const componentKey = (component: Component): string => `${component.provider}/${component.model}`;
