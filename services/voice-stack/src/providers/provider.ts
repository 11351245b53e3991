import type { LanguageModel, TranscriberModel, VoiceModel } from '@parley/compilation';
import type { InventoryProtocol, ListedVoice } from './inventory-protocol';

interface Offer<Model> {
  /** The provider's name for this kind of component. */
  readonly label: string;
  readonly models: readonly Model[];
}

/** All data of one provider. */
export interface ProviderEntry {
  /** As in stored selections: lower-case letters, digits and underscores, because the names of its variables are made of it. */
  readonly name: string;
  /** Whether a call needs a credential of this provider, the organization's own or a platform-managed one. */
  readonly requiresAccount: boolean;
  /** Its server defines the models: any id is accepted like the listed one. */
  readonly anyModel?: boolean;
  readonly transcribers?: Offer<TranscriberModel>;
  readonly models?: Offer<LanguageModel>;
  readonly voices?: Offer<VoiceModel>;
  /** How the voices of an account are read. */
  readonly inventory?: InventoryProtocol;
  /** The voices of a model where no account is asked for them; the default voice of each model is listed as well. */
  readonly knownVoices?: (model: string) => readonly ListedVoice[];
}
