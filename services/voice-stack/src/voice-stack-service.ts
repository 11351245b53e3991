import type { VoiceStackConfiguration } from '@parley/contract';
import { VoiceStackServiceService, type VoiceStackServiceServer } from '@parley/proto/voice_stack';
import { documentOf, grpcService, jsonOf, type Database, type GrpcService } from '@parley/runtime';
import type { Catalogue, DeliveryProfile } from '@parley/compilation';
import { compileConfiguration } from './compilation';
import { describeCatalogue } from './catalogue';
import { getPublication } from './publications';
import { synthesizePreview, type Synthesizers } from './previews';

/** Keys of this installation at providers, by the provider's name. */
export type PlatformAccounts = ReadonlyMap<string, { readonly secret: string; readonly baseUrl: string }>;

/** The typed RPCs. Their callers are services: configurations arrive validated by their owner. */
export function voiceStackService(
  db: Database,
  catalogue: Catalogue,
  synthesizers: Synthesizers = new Map(),
  accounts: PlatformAccounts = new Map(),
): GrpcService {
  const description = describeCatalogue(catalogue);
  return grpcService<VoiceStackServiceServer>(VoiceStackServiceService, {
    async compile(request) {
      const compiled = await compileConfiguration(db, catalogue, {
        organizationId: request.organizationId,
        configuration: jsonOf<VoiceStackConfiguration>(request.configuration),
        store: request.store,
      });
      return {
        blockers: [...compiled.blockers],
        sha256: compiled.sha256,
        projection: documentOf('VoiceStackProjection', compiled.projection),
        catalogueVersion: description.version,
        publishedLanguages: [...compiled.publishedLanguages],
        costMicrosPerMinute: String(compiled.costMicrosPerMinute),
      };
    },
    async getPublication({ organizationId, sha256 }) {
      const publication = await getPublication(db, organizationId, sha256);
      return {
        organizationId,
        sha256,
        content: documentOf('Publication', publication.content),
        createdAt: publication.createdAt.toISOString(),
      };
    },
    async synthesizePreview({ voice, text, language, delivery }, { caller }) {
      const content = await synthesizePreview(catalogue, synthesizers, {
        owner: caller?.organizationId || (caller?.keyId ?? ''),
        voice: jsonOf<VoiceStackConfiguration['voice']>(voice),
        text,
        language,
        delivery: delivery as DeliveryProfile | '',
      });
      return { content };
    },
    async getPlatformCredentials({ providers }) {
      const credentials = [...new Set(providers)].flatMap((provider) => {
        const account = accounts.get(provider);
        return account === undefined ? [] : [{ provider, ...account }];
      });
      return { credentials };
    },
    async getCatalogue() {
      return { catalogue: documentOf('AgentCatalogue', description.json), version: description.version };
    },
  });
}
