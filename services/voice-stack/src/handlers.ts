import type { GrpcService } from '@parley/runtime';
import { publicService } from '@parley/service';
import type { CatalogueDescription } from './catalogue';

/** The public routes of this service. */
export function voiceStackPublicService({ json }: CatalogueDescription): GrpcService {
  return publicService('voice-stack', { getAgentCatalogue: () => Promise.resolve({ body: json }) });
}
