import type { GrpcService } from '@parley/runtime';
import { publicService } from '@parley/service';
import type { Catalogues } from './catalogue';
import { listVoices, type Inventories } from './voices';

/** The public routes of this service. */
export function voiceStackPublicService(catalogues: Catalogues, inventories: Inventories): GrpcService {
  return publicService('voice-stack', {
    getAgentCatalog: () => Promise.resolve({ body: catalogues.described.json }),
    listVoices: async (call) => ({
      body: await listVoices(catalogues.current, inventories, call.organizationId, call.query, call.context),
    }),
  });
}
