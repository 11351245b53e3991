import { compile, type Catalogue } from '@parley/compilation';
import {
  catalogueFacts,
  type Blocker,
  type CatalogueDocument,
  type CatalogueFacts,
  type Publication,
  type VoiceStackConfiguration,
  type VoiceStackProjection,
} from '@parley/contract';
import type { CompileResponse, VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { documentOf, jsonOf, type Clock, type GrpcClient, type OutgoingContext } from '@parley/runtime';
import type { DefaultProviders } from './credential-bindings.rules';
import type { LanguageAxis } from './languages.rules';
import type { Compiled } from './stored-agent.rules';

export interface CompilationAnswer extends Compiled {
  /** Empty: it can be published and run. */
  readonly blockers: readonly Blocker[];
  /** Hex; empty when blocked. */
  readonly sha256: string;
}

/** A compilation that is not stored. */
export interface Draft extends Compiled {
  /** Empty: it could be published and run. */
  readonly blockers: readonly Blocker[];
  readonly publication: Publication;
}

/** The provider catalogue as used by agents. */
interface KnownCatalogue {
  readonly version: string;
  readonly readAtMs: number;
  readonly catalogue: Catalogue;
  readonly facts: CatalogueFacts;
  readonly defaultProviders: DefaultProviders;
}

interface DefaultComponents {
  readonly defaults: Readonly<Record<keyof DefaultProviders, { readonly provider: string }>>;
}

/** The catalogue changes with a deployment of voice-stack, not with a request. */
const CATALOGUE_TRUST_MS = 30_000;

export interface VoicePreview {
  /** Absent: the platform's default. */
  readonly voice: VoiceStackConfiguration['voice'] | undefined;
  readonly text: string;
  readonly language: string | undefined;
  readonly delivery: string | undefined;
  readonly organizationId: string;
  /** The credential that the agent binds; empty: none. */
  readonly credentialId: string;
}

/** A preview may wait for earlier ones. */
const PREVIEW_DEADLINE_MS = 20_000;

/** The client of voice-stack. */
export class VoiceStack {
  private known: KnownCatalogue | undefined;

  constructor(
    private readonly client: GrpcClient<VoiceStackServiceServer>,
    private readonly clock: Clock,
  ) {}

  /** Compiles, and voice-stack stores the publication before this returns. */
  async publish(configuration: VoiceStackConfiguration, context: OutgoingContext): Promise<CompilationAnswer> {
    return this.compiled(configuration, true, context);
  }

  private async compiled(
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

  /** Compiles in this process and stores nothing. */
  async draft(configuration: VoiceStackConfiguration, context: OutgoingContext): Promise<Draft> {
    const { catalogue, version } = await this.catalogue(context);
    const { blockers, projection, publication, costMicrosPerMinute } = compile(configuration, catalogue);
    return { blockers, projection, publication, costMicrosPerMinute, catalogueVersion: version };
  }

  /** The result of publishing, without storing it: with the publication's hash, '' if it is blocked. */
  async preview(configuration: VoiceStackConfiguration, context: OutgoingContext): Promise<Draft & { sha256: string }> {
    const { publication } = await this.draft(configuration, context);
    return { publication, ...(await this.compiled(configuration, false, context)) };
  }

  /** The content of a publication, as JSON text. NotFoundError when that organization has none. */
  async publication(organizationId: string, sha256: string, context: OutgoingContext): Promise<string> {
    const { content } = await this.client.getPublication({ organizationId, sha256 }, context);
    return content?.json.toString('utf8') ?? 'null';
  }

  /** A text spoken in a voice: RIFF WAVE. BadRequestError names voice, language or text. */
  async synthesizePreview(preview: VoicePreview, context: OutgoingContext): Promise<Buffer> {
    const { voice, text, language = '', delivery = '', organizationId, credentialId } = preview;
    const document = documentOf('VoiceSelection', JSON.stringify(voice ?? null));
    const { content } = await this.client.synthesizePreview(
      { voice: document, text, language, delivery, organizationId, componentCredentialId: credentialId },
      context,
      { deadlineMs: PREVIEW_DEADLINE_MS },
    );
    return content;
  }

  /** Which engines have a language axis. Cached, and longer if voice-stack is unavailable. */
  async languageAxis(context: OutgoingContext): Promise<LanguageAxis> {
    return (await this.catalogue(context)).facts.hasComponents;
  }

  /** What the effective values of a call depend on. */
  async catalogueFacts(context: OutgoingContext): Promise<CatalogueFacts> {
    return (await this.catalogue(context)).facts;
  }

  /** The default components of an agent without a selection. */
  async defaultProviders(context: OutgoingContext): Promise<DefaultProviders> {
    return (await this.catalogue(context)).defaultProviders;
  }

  /** The catalogue version of current projections. */
  async catalogueVersion(context: OutgoingContext): Promise<string> {
    return (await this.catalogue(context)).version;
  }

  private async catalogue(context: OutgoingContext): Promise<KnownCatalogue> {
    const { known } = this;
    if (known !== undefined && this.clock.monotonicMs() - known.readAtMs < CATALOGUE_TRUST_MS) return known;
    try {
      const { catalogue, version } = await this.client.getCatalogue({}, context);
      const document = jsonOf<Catalogue & CatalogueDocument & DefaultComponents>(catalogue);
      const { transcriber, model, voice } = document.defaults;
      const defaultProviders = { transcriber: transcriber.provider, model: model.provider, voice: voice.provider };
      const facts = catalogueFacts(document);
      this.known = { version, readAtMs: this.clock.monotonicMs(), catalogue: document, facts, defaultProviders };
      return this.known;
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
