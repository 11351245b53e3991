import type { Blocker, VoiceStackConfiguration, VoiceStackProjection } from '@parley/contract';
import type { CompileResponse, VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { documentOf, jsonOf, type Clock, type GrpcClient, type OutgoingContext } from '@parley/runtime';
import type { LanguageAxis } from '../domain/languages';
import type { Compiled } from '../domain/stored-agent';

export interface CompilationAnswer extends Compiled {
  /** Empty: it can be published and run. */
  readonly blockers: readonly Blocker[];
  /** Hex; empty when blocked. */
  readonly sha256: string;
}

/** What agents knows of the provider catalogue. */
interface CatalogueFacts {
  readonly version: string;
  readonly readAtMs: number;
  readonly hasAxis: LanguageAxis;
}

interface CatalogueDocument {
  readonly conversation_engines: Readonly<Record<string, { readonly has_language_axis: boolean } | undefined>>;
}

/** The catalogue changes with a deployment of voice-stack, not with a request. */
const CATALOGUE_TRUST_MS = 30_000;

/** voice-stack as this service sees it. */
export class VoiceStack {
  private facts: CatalogueFacts | undefined;

  constructor(
    private readonly client: GrpcClient<VoiceStackServiceServer>,
    private readonly clock: Clock,
  ) {}

  /** Compiles; with `store` the publication is kept before this answers. */
  async compile(
    configuration: VoiceStackConfiguration,
    store: boolean,
    context: OutgoingContext,
  ): Promise<CompilationAnswer> {
    const answer = await this.client.compile(
      {
        organizationId: configuration.organization_id,
        configuration: documentOf('VoiceStackConfiguration', configuration),
        store,
      },
      context,
    );
    return compilationOf(answer);
  }

  /** Which engines have a language axis. Kept for a while, and longer when voice-stack cannot answer. */
  async languageAxis(context: OutgoingContext): Promise<LanguageAxis> {
    return (await this.catalogue(context)).hasAxis;
  }

  /** The version of the catalogue that projections are computed with now. */
  async catalogueVersion(context: OutgoingContext): Promise<string> {
    return (await this.catalogue(context)).version;
  }

  private async catalogue(context: OutgoingContext): Promise<CatalogueFacts> {
    const known = this.facts;
    if (known !== undefined && this.clock.monotonicMs() - known.readAtMs < CATALOGUE_TRUST_MS) return known;
    try {
      const { catalogue, version } = await this.client.getCatalogue({}, context);
      const engines = jsonOf<CatalogueDocument>(catalogue).conversation_engines;
      const hasAxis: LanguageAxis = (engine) => engines[engine]?.has_language_axis ?? false;
      this.facts = { version, readAtMs: this.clock.monotonicMs(), hasAxis };
      return this.facts;
    } catch (error) {
      if (known === undefined) throw error;
      return known;
    }
  }
}

function compilationOf(answer: CompileResponse): CompilationAnswer {
  return {
    blockers: answer.blockers,
    sha256: answer.sha256,
    projection: jsonOf<VoiceStackProjection>(answer.projection),
    catalogueVersion: answer.catalogueVersion,
    costMicrosPerMinute: Number(answer.costMicrosPerMinute),
  };
}
