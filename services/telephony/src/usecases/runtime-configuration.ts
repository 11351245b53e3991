import {
  catalogueFacts,
  effectiveTuning,
  type CallTuning,
  type CatalogueDocument,
  type CatalogueFacts,
  type Publication,
  type PublicationFacts,
} from '@parley/contract';
import type { VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { jsonOf, type Clock, type GrpcClient, type OutgoingContext } from '@parley/runtime';
import { LRUCache } from 'lru-cache';
import type { Call } from '../domain/call';

interface StoredPublication {
  /** As it is stored. */
  readonly json: string;
  readonly facts: PublicationFacts;
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
  private catalogue: { readonly facts: CatalogueFacts; readonly readAtMs: number } | undefined;

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
    const effective = effectiveTuning({
      channel: 'phone',
      direction: call.direction,
      hosted: call.mode === 'hosted',
      language: call.language,
      publication: publication.facts,
      tuning: JSON.parse(call.tuning) as CallTuning,
      catalogue: await this.catalogueFacts(context),
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
    const stored = { json: content?.json.toString('utf8') ?? 'null', facts: factsOf(jsonOf<Publication>(content)) };
    this.publications.set(key, stored);
    return stored;
  }

  private async catalogueFacts(context: OutgoingContext): Promise<CatalogueFacts> {
    const now = this.clock.monotonicMs();
    if (this.catalogue !== undefined && now - this.catalogue.readAtMs < catalogueTrustMs) return this.catalogue.facts;
    const { catalogue } = await this.voiceStack.getCatalogue({}, context);
    const facts = catalogueFacts(jsonOf<CatalogueDocument>(catalogue));
    this.catalogue = { facts, readAtMs: now };
    return facts;
  }
}

/** Only what is looked at again: prompts and tools are long, and are kept as text already. */
function factsOf(publication: Publication): PublicationFacts {
  const { voice_frontend, language, starting_language, follow_caller, profiles, first_message, transcriber, voice } =
    publication;
  return { voice_frontend, language, starting_language, follow_caller, profiles, first_message, transcriber, voice };
}
