import type { LanguageModel, TranscriberModel, VoiceModel } from '@parley/compilation';
import type { InventoryProtocol, ListedVoice } from './inventory-protocol';

interface Offer<Model> {
  /** The provider's display name for this kind of component. */
  readonly label: string;
  readonly models: readonly Model[];
}

/** All data of one provider. */
export interface ProviderEntry {
  /**
   * The name in stored selections. It contains only lower-case letters, digits and underscores, because the names of environment variables are derived from it.
   */
  readonly name: string;
  /** Whether a call needs a credential of this provider: the organization's own or a platform-managed one. */
  readonly requiresAccount: boolean;
  /** Whether the server defines the models, so that any model id is accepted. */
  readonly anyModel?: boolean;
  readonly transcribers?: Offer<TranscriberModel>;
  readonly models?: Offer<LanguageModel>;
  readonly voices?: Offer<VoiceModel>;
  /** How to read the voices of an account. */
  readonly inventory?: InventoryProtocol;
  /** The voices of a model that are known without an account; the default voice of each model is added. */
  readonly knownVoices?: (model: string) => readonly ListedVoice[];
}
