import {
  profileOf,
  type EffectiveTuning,
  type LeasedCredential,
  type Publication,
  type VoiceComponentSelection,
} from '@parley/contract';
import { deliveryControls, type LanguageModel, type ProviderAccount, type StreamingAdapter } from '@parley/providers';
import { modelWithFallback, transcriberWithFallback, voiceWithFallback } from '../providers/fallback/index';
import type { Breakers, Candidate, Incident } from '../providers/fallback/index';
import type { VettedNetwork } from '../providers/vetted';
import type { ListeningComponent } from './call-transcriber';
import type { SpeakingComponent } from './voice-output';

type Kind = LeasedCredential['kind'];
type Selection = Pick<VoiceComponentSelection, 'provider' | 'model' | 'options' | 'voice_id'> & {
  readonly fallbacks?: readonly Selection[];
};

/** The organization has selected a component that this worker does not support. */
export class ComponentUnavailable extends Error {
  constructor(kind: Kind, provider: string, why: string) {
    super(`${kind} ${provider}: ${why}`);
    this.name = 'ComponentUnavailable';
  }
}

export interface ComponentsOptions {
  readonly adapters: ReadonlyMap<string, StreamingAdapter>;
  readonly publication: Partial<Publication>;
  /** Empty if no component of the call needs any. */
  readonly credentials: readonly LeasedCredential[];
  readonly delivery: EffectiveTuning['voice_polish']['delivery'] | undefined;
  readonly network: Pick<VettedNetwork, 'accountOf'>;
  readonly breakers: Breakers;
  readonly onIncident: (incident: Incident) => void;
}

const simulated: Selection = { provider: 'simulator', model: 'simulator' };

/** The components of one call, created from its publication and its leased credentials. If a provider fails, its fallbacks are used. */
export class Components {
  private readonly listening = new Map<string, ListeningComponent>();
  private readonly speaking = new Map<string, SpeakingComponent>();

  constructor(private readonly options: ComponentsOptions) {}

  /** Whether any component needs a secret for its requests. */
  static needsCredentials(publication: Partial<Publication>): boolean {
    const { transcriber, model, voice, profiles = [] } = publication;
    const all = [transcriber, model, voice, ...profiles.flatMap((profile) => [profile.transcriber, profile.voice])];
    return all
      .flatMap((selection: Selection | undefined) => [selection, ...(selection?.fallbacks ?? [])])
      .some((selection) => selection !== undefined && selection.provider !== simulated.provider);
  }

  async model(): Promise<{ model: LanguageModel; name: string | undefined; options: Record<string, unknown> }> {
    const { publication, breakers, onIncident } = this.options;
    const selection: Selection = publication.model ?? simulated;
    const candidates = await this.candidates('llm', selection, (adapter, account, chosen) => {
      const model = adapter.model?.(account);
      return model && { model, name: chosen.model, options: chosen.options ?? {} };
    });
    const model = modelWithFallback(candidates, { kind: 'model', breakers, onIncident });
    return { model, name: selection.model, options: selection.options ?? {} };
  }

  /** Returns the transcriber for each language of the call. Languages with identical components share one. */
  async listeners(languages: readonly string[]): Promise<(language: string) => ListeningComponent> {
    for (const language of languages) {
      const selection = this.selectionFor('transcriber', language);
      const key = JSON.stringify(selection);
      if (!this.listening.has(key)) this.listening.set(key, await this.listener(selection));
    }
    return (language) => found(this.listening, JSON.stringify(this.selectionFor('transcriber', language)));
  }

  async voices(languages: readonly string[]): Promise<(language: string) => SpeakingComponent> {
    for (const language of languages) {
      const selection = this.selectionFor('voice', language);
      const key = JSON.stringify(selection);
      if (!this.speaking.has(key)) this.speaking.set(key, await this.speaker(selection));
    }
    return (language) => found(this.speaking, JSON.stringify(this.selectionFor('voice', language)));
  }

  private selectionFor(part: 'transcriber' | 'voice', language: string): Selection {
    const { publication } = this.options;
    const profile = profileOf(publication.profiles ?? [], language);
    return profile?.[part] ?? publication[part] ?? simulated;
  }

  private async listener(selection: Selection): Promise<ListeningComponent> {
    const { breakers, onIncident } = this.options;
    const candidates = await this.candidates('stt', selection, (adapter, account, chosen) => {
      const transcriber = adapter.transcriber?.(account, chosen.model);
      return transcriber && { transcriber, own: { model: chosen.model, options: chosen.options ?? {} } };
    });
    const transcriber = transcriberWithFallback(candidates, { kind: 'transcriber', breakers, onIncident });
    return { transcriber, model: selection.model, options: selection.options ?? {} };
  }

  private async speaker(selection: Selection): Promise<SpeakingComponent> {
    const { breakers, onIncident } = this.options;
    const own = (chosen: Selection): SpeakingComponent['own'] => ({
      model: chosen.model,
      voiceId: chosen.voice_id ?? '',
      delivery: this.deliveryOf(chosen),
      options: chosen.options ?? {},
    });
    const candidates = await this.candidates('tts', selection, (adapter, account, chosen) => {
      const synthesizer = adapter.synthesizer?.(account);
      return synthesizer && { synthesizer, own: own(chosen) };
    });
    return { synthesizer: voiceWithFallback(candidates, { kind: 'voice', breakers, onIncident }), own: own(selection) };
  }

  /** The controls of the provider itself: settings by name, an instruction, or a factor for the pace. */
  private deliveryOf({ provider, model }: Selection): SpeakingComponent['own']['delivery'] {
    const value = this.options.delivery?.voices.find((one) => one.provider === provider && one.model === model)?.value;
    return deliveryControls(value);
  }

  private async candidates<Component>(
    kind: Kind,
    selection: Selection,
    make: (adapter: StreamingAdapter, account: ProviderAccount, chosen: Selection) => Component | undefined,
  ): Promise<Candidate<Component>[]> {
    const found: Candidate<Component>[] = [];
    for (const chosen of [selection, ...(selection.fallbacks ?? [])]) {
      const adapter = this.options.adapters.get(chosen.provider);
      if (adapter === undefined) {
        if (chosen === selection) throw new ComponentUnavailable(kind, chosen.provider, 'there is no adapter');
        continue;
      }
      for (const credential of this.accountsOf(kind, adapter)) {
        const { secret, base_url: baseUrl, component_credential_id: id } = credential;
        const account = this.options.network.accountOf({
          apiKey: secret ?? undefined,
          ...(baseUrl === null ? {} : { baseUrl }),
        });
        const component = make(adapter, account, chosen);
        if (component !== undefined)
          found.push({ provider: chosen.provider, credentialId: id ?? 'installation', component });
      }
    }
    if (found.length === 0) throw new ComponentUnavailable(kind, selection.provider, 'there is no account for it');
    return found;
  }

  private accountsOf(
    kind: Kind,
    { name, requiresKey, requiresBaseUrl }: StreamingAdapter,
  ): readonly Pick<LeasedCredential, 'secret' | 'base_url' | 'component_credential_id'>[] {
    const leased = this.options.credentials.filter(
      (one) =>
        one.kind === kind &&
        one.provider === name &&
        (!requiresKey || one.secret !== null) &&
        (requiresBaseUrl !== true || one.base_url !== null),
    );
    if (leased.length > 0 || requiresKey || requiresBaseUrl === true) return leased;
    return [{ secret: null, base_url: null, component_credential_id: null }];
  }
}

function found<Component>(components: ReadonlyMap<string, Component>, key: string): Component {
  const component = components.get(key);
  if (component === undefined) throw new Error(`no transcriber or voice was created for ${key}`);
  return component;
}
