import type { GrpcService } from '@parley/runtime';
import { publicService } from '@parley/service';
import type { Catalogue } from '@parley/compilation';
import type { CatalogueDescription } from './catalogue';
import { listVoices, type Inventories } from './voices';

/** The public routes of this service. */
export function voiceStackPublicService(
  { json }: CatalogueDescription,
  catalogue: Catalogue,
  inventories: Inventories,
): GrpcService {
  return publicService('voice-stack', {
    getAgentCatalogue: () => Promise.resolve({ body: json }),
    listVoices: async (call) => ({
      body: await listVoices(catalogue, inventories, call.organizationId, call.query, call.context),
    }),
  });
}
