import type { VoiceStackConfiguration } from '@parley/contract';
import { type VoiceStackServiceServer, VoiceStackServiceService } from '@parley/proto/voice_stack';
import { type Database, documentOf, grpcService, type GrpcService, jsonOf, type Queryable } from '@parley/runtime';
import type { DeliveryProfile } from '@parley/compilation';
import { notFound } from '@parley/errors';
import { compileConfiguration } from './compilation';
import type { Catalogues } from './catalogue';
import type { PlatformAccounts } from './accounts';
import { type Speakers, synthesizePreview } from './previews';
import type { Inventories } from './voices';
import { findPublication, type StoredPublication } from './publications';

/** Dependencies of the typed RPCs. */
export interface VoiceStackParts {
  readonly db: Database;
  readonly catalogues: Catalogues;
  readonly speakers: Speakers;
  readonly inventories: Inventories;
  readonly platform: PlatformAccounts;
}

/** The typed RPCs, called by other services, which have already validated the configurations. */
export function voiceStackService({ db, catalogues, speakers, inventories, platform }: VoiceStackParts): GrpcService {
  return grpcService<VoiceStackServiceServer>(VoiceStackServiceService, {
    async compile(request, context) {
      const asked = {
        organizationId: request.organizationId,
        configuration: jsonOf<VoiceStackConfiguration>(request.configuration),
        store: request.store,
      };
      const { current: catalogue, described } = catalogues;
      const compiled = await compileConfiguration({ db, catalogue, inventories }, asked, context);
      return {
        blockers: [...compiled.blockers],
        sha256: compiled.sha256,
        projection: documentOf('VoiceStackProjection', compiled.projection),
        catalogueVersion: described.version,
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
    async synthesizePreview({ voice, text, language, delivery, ...of }, context) {
      const { caller } = context;
      const asked = {
        owner: caller?.organizationId || (caller?.keyId ?? ''),
        organizationId: of.organizationId,
        credentialId: of.componentCredentialId,
        voice: jsonOf<VoiceStackConfiguration['voice']>(voice),
        text,
        language,
        delivery: delivery as DeliveryProfile | '',
      };
      return { content: await synthesizePreview(catalogues.current, speakers, asked, context) };
    },
    async getPlatformCredentials({ providers }) {
      const credentials = [...new Set(providers)].flatMap((provider) => {
        const account = platform.get(provider);
        return account === undefined ? [] : [{ provider, ...account }];
      });
      return { credentials };
    },
    async getCatalogue() {
      const { json, version } = catalogues.described;
      return { catalogue: documentOf('AgentCatalogue', json), version };
    },
  });
}

/** @throws NotFoundError if the organization has no publication with this hash, even if another one has */
async function getPublication(db: Queryable, organizationId: string, sha256: string): Promise<StoredPublication> {
  const publication = await findPublication(db, organizationId, sha256);
  if (publication === undefined) throw notFound('publication');
  return publication;
}
