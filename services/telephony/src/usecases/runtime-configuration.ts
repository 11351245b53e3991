import type { CallTuning, Publication } from '@parley/contract';
import type { CatalogueResponse, VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { jsonOf, type Clock, type GrpcClient, type OutgoingContext } from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import type { Call } from '../domain/call';
import { effectiveValues } from '../domain/effective-values';

/** What of a publication and of the catalogue is needed here. */
type Stack = Pick<Publication, 'language' | 'starting_language' | 'transcriber'>;

interface CatalogueTranscribers {
  readonly transcribers: readonly {
    readonly provider: string;
    readonly models: readonly { readonly model: string; readonly fast_words: boolean }[];
  }[];
}

interface StoredPublication {
  /** As it is stored. */
  readonly json: string;
  readonly stack: Stack;
}

/** The catalogue is data of a release: old by a minute it is still right. */
const catalogueTrustMs = 60_000;

/** Reads what calls are pinned to. Publications never change, so they are kept: 500 of them, at most 64 MiB. */
export class RuntimeConfigurations {
  private readonly publications = new LRUCache<string, StoredPublication>({
    max: 500,
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ json }) => json.length * 2,
  });
  private catalogue: { readonly words: ReadonlySet<string>; readonly readAtMs: number } | undefined;

  constructor(
    private readonly voiceStack: Pick<GrpcClient<VoiceStackServiceServer>, 'getPublication' | 'getCatalogue'>,
    private readonly clock: Clock,
  ) {}

  /**
   * JSON of RuntimeConfiguration for a claimed call.
   * @throws NotFoundError when the publication is gone; internal_error when voice-stack does not answer
   */
  async of(call: Call, context: OutgoingContext): Promise<string> {
    const publication = await this.publication(call, context);
    const { stack } = publication;
    const tuning = JSON.parse(call.tuning) as CallTuning;
    const effective = effectiveValues({
      direction: call.direction,
      hosted: call.mode === 'hosted',
      language: call.language === '' ? stack.starting_language || stack.language : call.language,
      wordsArriveFast: (await this.fastTranscribers(context)).has(componentKey(stack.transcriber)),
      tuning,
    });
    const values = JSON.stringify(effective);
    return `{"publication":${publication.json},"tuning":${call.tuning},"effective":${values},"variables":${call.variables}}`;
  }

  private async publication(call: Call, context: OutgoingContext): Promise<StoredPublication> {
    const { organizationId, publicationSha256: sha256 } = call;
    const key = `${organizationId} ${sha256}`;
    const known = this.publications.get(key);
    if (known !== undefined) return known;
    const { content } = await this.voiceStack.getPublication({ organizationId, sha256 }, context);
    const stored = { json: content?.json.toString('utf8') ?? 'null', stack: jsonOf<Stack>(content) };
    this.publications.set(key, stored);
    return stored;
  }

  /** The transcribers whose words arrive while they are spoken. */
  private async fastTranscribers(context: OutgoingContext): Promise<ReadonlySet<string>> {
    const now = this.clock.monotonicMs();
    if (this.catalogue !== undefined && now - this.catalogue.readAtMs < catalogueTrustMs) return this.catalogue.words;
    const words = fastWords(await this.voiceStack.getCatalogue({}, context));
    this.catalogue = { words, readAtMs: now };
    return words;
  }
}

function fastWords({ catalogue }: CatalogueResponse): ReadonlySet<string> {
  const { transcribers } = jsonOf<CatalogueTranscribers>(catalogue);
  return new Set(
    transcribers.flatMap(({ provider, models }) =>
      models.filter((entry) => entry.fast_words).map(({ model }) => componentKey({ provider, model })),
    ),
  );
}

const componentKey = ({ provider, model }: { readonly provider: string; readonly model: string }): string =>
  `${provider} ${model}`;
