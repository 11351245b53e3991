import type { Delivery, DeliveryValue } from '../documents/effective-tuning';
import type { DeliveryControl } from '../objects/agent-view';
import type { VoiceFrontend } from '../objects/components';

interface Component {
  readonly provider: string;
  readonly model: string;
}

/** How one voice takes a delivery (docs/reference/voice-stack.md#read). */
export interface DeliveryFacts {
  readonly control: DeliveryControl;
  /** Empty for `unsupported`. */
  readonly profiles: Readonly<Partial<Record<Delivery, DeliveryValue>>>;
}

/** What the effective values of a call depend on next to its own configuration. */
export interface CatalogueFacts {
  /** Whether an engine is made of components: transcriber, model and voice. */
  readonly hasComponents: (engine: VoiceFrontend) => boolean;
  /** Whether a transcriber reports words while they are spoken. */
  readonly wordsArriveFast: (transcriber: Component) => boolean;
  /** Undefined: the catalogue does not know the voice. */
  readonly deliveryOf: (voice: Component) => DeliveryFacts | undefined;
}

interface Provider<Model> {
  readonly provider: string;
  /** Each model is as the only one that is listed. */
  readonly any_model?: boolean;
  readonly models: readonly (Model & { readonly model: string })[];
}

/** The part of GET /v1/agent-catalog that is read here. */
export interface CatalogueDocument {
  readonly conversation_engines: Readonly<Record<string, { readonly has_language_axis: boolean } | undefined>>;
  readonly transcribers: readonly Provider<{ readonly fast_words: boolean }>[];
  readonly voices: readonly Provider<{
    readonly delivery_control: DeliveryControl;
    readonly delivery_profiles: DeliveryFacts['profiles'];
  }>[];
}

/** Look-ups over a catalogue document; made once a version. */
export function catalogueFacts(document: CatalogueDocument): CatalogueFacts {
  const transcribers = byComponent(document.transcribers);
  const voices = byComponent(document.voices);
  return {
    hasComponents: (engine) => document.conversation_engines[engine]?.has_language_axis ?? false,
    wordsArriveFast: (transcriber) => transcribers(transcriber)?.fast_words ?? false,
    deliveryOf: (voice) => {
      const found = voices(voice);
      return found === undefined ? undefined : { control: found.delivery_control, profiles: found.delivery_profiles };
    },
  };
}

function byComponent<Model>(providers: readonly Provider<Model>[]): (component: Component) => Model | undefined {
  const listed = new Map(
    providers.flatMap(({ provider, models }) =>
      models.map((entry) => [keyOf({ provider, model: entry.model }), entry] as const),
    ),
  );
  const any = new Map(
    providers.flatMap(({ provider, any_model, models: [one] }) => (any_model && one ? [[provider, one]] : [])),
  );
  return (component) => listed.get(keyOf(component)) ?? any.get(component.provider);
}

const keyOf = ({ provider, model }: Component): string => JSON.stringify([provider, model]);
