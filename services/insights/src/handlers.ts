import type { AnyRoute } from '@parley/contract';
import type { GrpcService } from '@parley/runtime';
import { publicService, type PublicCall } from '@parley/service';
import {
  createRerun,
  deleteConfiguration,
  getConfiguration,
  getRerun,
  replaceConfiguration,
  type ExtractionDependencies,
  type OfAgent,
} from './extraction';

/** The public routes of this service. */
export function insightsPublicService(extraction: ExtractionDependencies): GrpcService {
  return publicService('insights', {
    getExtraction: (call) => getConfiguration(extraction, ofAgent(call)),
    replaceExtraction: (call) =>
      replaceConfiguration(extraction, { ...ofAgent(call), ifMatch: call.ifMatch, body: () => call.body() }),
    deleteExtraction: (call) => deleteConfiguration(extraction, { ...ofAgent(call), ifMatch: call.ifMatch }),
    createExtractionRerun: (call) =>
      createRerun(extraction, {
        ...ofAgent(call),
        body: () => call.body(),
        creating: (organizationId) => call.creating(organizationId),
      }),
    getExtractionRerun: (call) => getRerun(extraction, { ...ofAgent(call), rerunId: call.params.extraction_rerun_id }),
  });
}

function ofAgent({ organizationId, params, context }: PublicCall<AnyRoute>): OfAgent {
  return { organizationId, agentId: params['agent_id'] ?? '', context };
}
