import type { Catalogue, Figures, Provider } from '@parley/compilation';
import { audioPresets, canonicalJson, optionsOf, runsInCalls } from '@parley/contract';
import { createHash } from 'node:crypto';
import { builtInVendors, vendorsWith } from './operator-folder';
import type { Vendor, VendorOffer } from './vendor-file';

/** Settings that differ between installations. */
export interface CatalogueOptions {
  /** In development, the default is the simulator; in production, components with accounts. */
  readonly environment: 'development' | 'production';
  /** Providers for which this installation has its own account. */
  readonly platformManaged: readonly string[];
  /** Default: true. */
  readonly navigationEnabled?: boolean;
}

const developmentDefaults = {
  language: 'en',
  transcriber: { provider: 'simulator', model: 'sim-listen-40' },
  model: { provider: 'simulator', model: 'sim-chat' },
  voice: { provider: 'simulator', model: 'sim-speak-40' },
} as const;

const productionDefaults = {
  language: 'en',
  transcriber: { provider: 'deepgram', model: 'nova-3' },
  model: { provider: 'openai', model: 'gpt-4.1-mini' },
  voice: { provider: 'elevenlabs', model: 'eleven_flash_v2_5' },
} as const;

/** Builds the provider catalogue (docs/reference/voice-stack.md). */
export function createCatalogue(options: CatalogueOptions, vendors: readonly Vendor[] = builtInVendors): Catalogue {
  return {
    conversation_engines: {
      cascade: {
        label: 'Cascade of transcriber, language model and speech synthesis',
        available: true,
        has_language_axis: true,
        supports_navigation: true,
        cost_micros_per_minute: 0,
        latency_ms: 0,
        estimated: [],
      },
      engine_a_live: {
        label: 'Voice-to-voice engine A',
        available: false,
        has_language_axis: false,
        supports_navigation: false,
        cost_micros_per_minute: 60_000,
        latency_ms: 500,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      },
      engine_b_live: {
        label: 'Voice-to-voice engine B',
        available: false,
        has_language_axis: false,
        supports_navigation: false,
        cost_micros_per_minute: 25_000,
        latency_ms: 450,
        estimated: ['cost_micros_per_minute', 'latency_ms'],
      },
    },
    transcribers: offersOf(vendors, 'transcribers'),
    models: offersOf(vendors, 'models'),
    voices: offersOf(vendors, 'voices'),
    defaults: options.environment === 'production' ? productionDefaults : developmentDefaults,
    platform_managed: [...options.platformManaged].sort(),
    navigation: {
      released: options.navigationEnabled ?? true,
      languages: ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ru', 'pl'],
      max_transcriber_connections: 2,
    },
  };
}

const kinds = { transcribers: 'stt', models: 'llm', voices: 'tts' } as const;
type Kind = keyof typeof kinds;
type ModelOf<Of extends Kind> = NonNullable<Vendor[Of]>['models'][number];

/** The providers that offer components of a kind, in the order of the vendors. */
function offersOf<const Of extends Kind>(vendors: readonly Vendor[], kind: Of): readonly Provider<ModelOf<Of>>[] {
  return vendors.flatMap(({ provider, requires_account, any_model, [kind]: offer }) => {
    if (offer === undefined) return [];
    const available = runsInCalls(provider, kinds[kind]);
    const { label, unlisted, models } = offer as VendorOffer<ModelOf<Of>>;
    return [
      {
        ...{ provider, label, requires_account, available },
        ...(any_model === true && { any_model }),
        ...(unlisted !== undefined && { unlisted: { ...unlisted, ...optionsFor(kinds[kind], provider, '') } }),
        models: models.map((model) => ({ ...model, ...optionsFor(kinds[kind], provider, model.model) })),
      },
    ];
  });
}

/** The options of a model, if it has any. */
function optionsFor(kind: (typeof kinds)[Kind], provider: string, model: string): Pick<Figures, 'options'> {
  const options = optionsOf(kind, provider, model);
  return Object.keys(options).length === 0 ? {} : { options };
}

interface CatalogueDescription {
  /** Canonical JSON: the response of GET /v1/agent-catalog. */
  readonly json: string;
  /** A hash of all catalogue data that an agent's read depends on: equal data has the same version on every replica. */
  readonly version: string;
}

function describeCatalogue(catalogue: Catalogue): CatalogueDescription {
  const version = createHash('sha256')
    .update(canonicalJson({ ...catalogue, audioPresets }), 'utf8')
    .digest('hex')
    .slice(0, 16);
  return { json: canonicalJson({ ...catalogue, version }), version };
}

/** The present catalogue. It changes while the service runs if the operator changes the files of CATALOGUE_DIR. */
export class Catalogues {
  private catalogue: Catalogue;
  private description: CatalogueDescription;

  constructor(private readonly options: CatalogueOptions) {
    this.catalogue = createCatalogue(options);
    this.description = describeCatalogue(this.catalogue);
  }

  get current(): Catalogue {
    return this.catalogue;
  }

  get described(): CatalogueDescription {
    return this.description;
  }

  /** Reads the operator's folder. @throws Error if a file cannot be used; the present catalogue stays */
  async read(folder: string): Promise<void> {
    const catalogue = createCatalogue(this.options, await vendorsWith(folder));
    this.description = describeCatalogue(catalogue);
    this.catalogue = catalogue;
  }
}
