import type { Delivery, DeliveryValue } from '../documents/effective-tuning';
import type { DeliveryControl } from '../objects/agent-view';
import type { VoiceFrontend } from '../objects/components';

interface Component {
  readonly provider: string;
  readonly model: string;
}

/** How a voice implements a delivery (docs/reference/voice-stack.md#read). */
export interface DeliveryFacts {
  readonly control: DeliveryControl;
  /** Empty for `unsupported`. */
  readonly profiles: Readonly<Partial<Record<Delivery, DeliveryValue>>>;
}

/** The facts of the catalogue that determine effective values, in addition to the call's own configuration. */
export interface CatalogueFacts {
  /** Whether an engine consists of components: transcriber, model and voice. */
  readonly hasComponents: (engine: VoiceFrontend) => boolean;
  /** Whether a transcriber reports partial results during speech. */
  readonly wordsArriveFast: (transcriber: Component) => boolean;
  /** Undefined if the catalogue does not contain the voice. */
  readonly deliveryOf: (voice: Component) => DeliveryFacts | undefined;
}

interface Provider<Model> {
  readonly provider: string;
  /** What holds for models that are not listed. */
  readonly unlisted?: Model;
  readonly models: readonly (Model & { readonly model: string })[];
}

/** The part of GET /v1/agent-catalog that is used here. */
export interface CatalogueDocument {
  readonly conversation_engines: Readonly<Record<string, { readonly has_language_axis: boolean } | undefined>>;
  readonly transcribers: readonly Provider<{ readonly fast_words: boolean }>[];
  readonly voices: readonly Provider<{
    readonly delivery_control: DeliveryControl;
    readonly delivery_profiles: DeliveryFacts['profiles'];
  }>[];
}

/** Look-ups in a catalogue document; created once per version of the catalogue. */
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
  const unlisted = new Map(providers.map((one) => [one.provider, one.unlisted]));
  return (component) => listed.get(keyOf(component)) ?? unlisted.get(component.provider);
}

const keyOf = ({ provider, model }: Component): string => JSON.stringify([provider, model]);
