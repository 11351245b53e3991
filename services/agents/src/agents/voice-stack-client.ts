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
  /** If empty, the configuration can be used for calls. */
  readonly blockers: readonly Blocker[];
  /** Hexadecimal; empty if it cannot be published. */
  readonly sha256: string;
}

/** A compilation that is not stored. */
export interface Draft extends Compiled {
  /** If empty, the configuration could be published and used for calls. */
  readonly blockers: readonly Blocker[];
  readonly publication: Publication;
}

/** The provider catalogue as this service caches it. */
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

/** The catalogue changes only when voice-stack is deployed, so it is cached. */
const CATALOGUE_TRUST_MS = 30_000;

export interface VoicePreview {
  /** Absent: the default voice of the platform. */
  readonly voice: VoiceStackConfiguration['voice'] | undefined;
  readonly text: string;
  readonly language: string | undefined;
  readonly delivery: string | undefined;
  readonly organizationId: string;
  /** The credential that the agent binds; empty if none. */
  readonly credentialId: string;
}

/** Longer than other deadlines, because a preview may have to wait for earlier ones. */
const PREVIEW_DEADLINE_MS = 20_000;

/** Client of the service `voice-stack`. */
export class VoiceStack {
  private known: KnownCatalogue | undefined;

  constructor(
    private readonly client: GrpcClient<VoiceStackServiceServer>,
    private readonly clock: Clock,
  ) {}

  /** Compiles the configuration. The publication is stored before this returns. */
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

  /** Returns the result of publishing without storing it. `sha256` is the hash of the publication, empty if there are blockers. */
  async preview(configuration: VoiceStackConfiguration, context: OutgoingContext): Promise<Draft & { sha256: string }> {
    const { publication } = await this.draft(configuration, context);
    return { publication, ...(await this.compiled(configuration, false, context)) };
  }

  /** Returns the content of a publication as JSON text. @throws NotFoundError if the organization has no such publication */
  async publication(organizationId: string, sha256: string, context: OutgoingContext): Promise<string> {
    const { content } = await this.client.getPublication({ organizationId, sha256 }, context);
    return content?.json.toString('utf8') ?? 'null';
  }

  /** Synthesizes a text with a voice; returns a RIFF WAVE file. @throws BadRequestError naming voice, language or text */
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

  /** Returns which engines support language selection. Cached, and for longer while voice-stack is unavailable. */
  async languageAxis(context: OutgoingContext): Promise<LanguageAxis> {
    return (await this.catalogue(context)).facts.hasComponents;
  }

  /** Returns the catalogue data from which effective values are computed. */
  async catalogueFacts(context: OutgoingContext): Promise<CatalogueFacts> {
    return (await this.catalogue(context)).facts;
  }

  /** Returns the providers that an agent without a selection uses. */
  async defaultProviders(context: OutgoingContext): Promise<DefaultProviders> {
    return (await this.catalogue(context)).defaultProviders;
  }

  /** Returns the catalogue version that up-to-date projections have. */
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
    blockers: answer.blockers as readonly Blocker[],
    sha256: answer.sha256,
    projection: jsonOf<VoiceStackProjection>(answer.projection),
    catalogueVersion: answer.catalogueVersion,
    costMicrosPerMinute: Number(answer.costMicrosPerMinute),
  };
}
