import type { ComponentCredentialKind } from '../objects/component-credential';
import servers from './compatible-servers.json';
import { flag, integerWithin, numberWithin, oneOf, type OptionTable } from './option-rules';

/** A component for which the engine has an adapter. */
interface EngineComponent {
  /** The options that the adapter passes on to the provider. */
  readonly options: OptionTable;
  /** For models whose name starts with one of these prefixes, these options apply instead of `options`. */
  readonly families?: Readonly<Record<string, OptionTable>>;
}

type EngineProvider = Partial<Readonly<Record<ComponentCredentialKind, EngineComponent>>>;

/** The options of chat completions, for OpenAI and compatible servers. */
const chat: OptionTable = {
  temperature: numberWithin(0, 2),
  top_p: numberWithin(0, 1),
  frequency_penalty: numberWithin(-2, 2),
  presence_penalty: numberWithin(-2, 2),
  max_tokens: integerWithin(1, 100_000),
  seed: integerWithin(0, 2 ** 31 - 1),
  parallel_tool_calls: flag,
  reasoning_effort: oneOf('none', 'minimal', 'low', 'medium', 'high'),
  verbosity: oneOf('low', 'medium', 'high'),
  service_tier: oneOf('auto', 'default', 'flex', 'priority'),
};

/** A server of language models with OpenAI's protocol. */
export interface CompatibleServer {
  readonly provider: string;
  /** Its public address with the version; null: the credential has to name it. */
  readonly base_url: string | null;
  readonly requires_key: boolean;
  /** The options of chat completions that it accepts. */
  readonly options: readonly string[];
}

export const compatibleServers: readonly CompatibleServer[] = servers;

const serverComponents = Object.fromEntries(
  compatibleServers.map(({ provider, options }) => [
    provider,
    { llm: { options: Object.fromEntries(Object.entries(chat).filter(([name]) => options.includes(name))) } },
  ]),
);

const plain: EngineComponent = { options: {} };

/** Sets the latency of a simulated component. */
const simulated: OptionTable = { latency_ms: integerWithin(0, 10_000) };

/**
 * The components for which this release's engine has an adapter: by provider, the kinds of components with their options. The catalogue's `available`, the
 * options that a save accepts, and the options that adapters pass on are derived from it; a test of the engine compares it with the list of adapters.
 */
export const engineComponents: Readonly<Record<string, EngineProvider>> = {
  simulator: {
    // What simulated recognition returns as the other party's turns, one text per turn.
    stt: { options: { ...simulated, script: { type: 'texts', max_items: 100, max_length: 500 } } },
    llm: { options: simulated },
    tts: { options: simulated },
  },
  ...serverComponents,
  openai: { stt: plain, llm: { options: chat }, tts: plain },
  openai_compatible: { stt: plain, llm: { options: chat }, tts: plain },
  azure: { llm: { options: chat } },
  anthropic: {
    llm: {
      options: {
        temperature: numberWithin(0, 1),
        top_p: numberWithin(0, 1),
        top_k: integerWithin(1, 500),
        max_tokens: integerWithin(1, 64_000),
        parallel_tool_calls: flag,
      },
    },
  },
  deepgram: {
    stt: {
      options: { smart_format: flag, numerals: flag, profanity_filter: flag, dictation: flag, punctuate: flag },
      families: {
        flux: {
          eot_threshold: numberWithin(0.5, 1),
          eager_eot_threshold: numberWithin(0.3, 0.9),
          eot_timeout_ms: integerWithin(500, 60_000),
          numerals: flag,
          profanity_filter: flag,
        },
      },
    },
  },
  cartesia: { tts: plain },
  elevenlabs: {
    tts: {
      options: {
        stability: numberWithin(0, 1),
        similarity_boost: numberWithin(0, 1),
        style: numberWithin(0, 1),
        speed: numberWithin(0.7, 1.2),
        use_speaker_boost: flag,
        apply_text_normalization: oneOf('auto', 'on', 'off'),
        enable_logging: flag,
      },
    },
  },
};

/** Whether this release's engine has an adapter for a provider's components of a kind. */
export const runsInCalls = (provider: string, kind: ComponentCredentialKind): boolean =>
  componentOf(provider, kind) !== undefined;

/** The options of a component; empty if the engine has no adapter for it, because no adapter would use them. */
export function optionsOf(kind: ComponentCredentialKind, provider: string, model: string): OptionTable {
  const component = componentOf(provider, kind);
  const family = Object.entries(component?.families ?? {}).find(([prefix]) => model.startsWith(prefix));
  return family?.[1] ?? component?.options ?? {};
}

const componentOf = (provider: string, kind: ComponentCredentialKind): EngineComponent | undefined =>
  Object.hasOwn(engineComponents, provider) ? engineComponents[provider]?.[kind] : undefined;
