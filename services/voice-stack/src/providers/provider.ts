import type { LanguageModel, TranscriberModel, VoiceModel } from '@parley/compilation';
import type { SpeechProtocol } from './speech-protocol';

interface Offer<Model> {
  /** The provider's name for this kind of component. */
  readonly label: string;
  readonly models: readonly Model[];
}

/** Everything that is known of one provider. */
export interface ProviderEntry {
  /** As in stored selections: lower-case letters and digits, because the names of its variables are made of it. */
  readonly name: string;
  /** Whether a call needs a credential of this provider, the organization's own or a platform-managed one. */
  readonly requiresAccount: boolean;
  /** Whether the engine of this release has an adapter for it; elsewhere it is listed as not available. */
  readonly inCalls: boolean;
  readonly transcribers?: Offer<TranscriberModel>;
  readonly models?: Offer<LanguageModel>;
  readonly voices?: Offer<VoiceModel>;
  /** How its voices are previewed on the account of the installation: PROVIDER_<NAME>_API_KEY, PROVIDER_<NAME>_URL. */
  readonly speech?: SpeechProtocol;
}
