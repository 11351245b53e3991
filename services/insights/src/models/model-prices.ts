import type { VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { jsonOf, type Clock, type GrpcClient, type OutgoingContext } from '@parley/runtime';

/** The part of the catalogue that contains prices. */
interface PricedCatalogue {
  readonly models: readonly {
    readonly provider: string;
    readonly models: readonly { readonly model: string; readonly cost_micros_per_minute: number }[];
  }[];
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ModelPrices {
  /** The estimated price in micro-USD; null if the catalogue has no price for the model. */
  priceTokens(
    model: { provider: string; model: string },
    usage: Usage,
    context: OutgoingContext,
  ): Promise<number | null>;
}

/** The tokens of one minute of a call on which the prices of the catalogue are based. An output token has the price of four input tokens. */
const minute = { input: 8_000, output: 240, outputWeight: 4 } as const;

const keptMs = 600_000;

export function modelPrices(
  voiceStack: Pick<GrpcClient<VoiceStackServiceServer>, 'getCatalogue'>,
  clock: Pick<Clock, 'monotonicMs'>,
): ModelPrices {
  let kept: { readonly at: number; readonly catalogue: PricedCatalogue } | undefined;
  const loadCatalogue = async (context: OutgoingContext): Promise<PricedCatalogue> => {
    if (kept === undefined || clock.monotonicMs() - kept.at > keptMs) {
      const { catalogue } = await voiceStack.getCatalogue({}, context);
      kept = { at: clock.monotonicMs(), catalogue: jsonOf<PricedCatalogue>(catalogue) };
    }
    return kept.catalogue;
  };
  return {
    async priceTokens({ provider, model }, { inputTokens, outputTokens }, context) {
      const { models } = await loadCatalogue(context);
      const entry = models.find((one) => one.provider === provider)?.models.find((one) => one.model === model);
      if (entry === undefined) return null;
      const { input, output, outputWeight } = minute;
      const share = (inputTokens + outputWeight * outputTokens) / (input + outputWeight * output);
      return Math.ceil(entry.cost_micros_per_minute * share);
    },
  };
}
