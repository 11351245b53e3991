import addCampaignContacts from './campaigns/add-campaign-contacts';
import listEvents from './events/list-events';
import getCallConfiguration from './media-gateways/get-call-configuration';
import putCallArtifacts from './media-gateways/put-call-artifacts';
import reportGatewayCall from './media-gateways/report-gateway-call';
import routeInboundCall from './media-gateways/route-inbound-call';
import claimWorkerJobs from './worker-jobs/claim-worker-jobs';
import completeWorkerJob from './worker-jobs/complete-worker-job';
import heartbeatWorkerJobs from './worker-jobs/heartbeat-worker-jobs';
import reportWorkerJob from './worker-jobs/report-worker-job';
import type { RouteModule } from '../route';

/** The routes that a declaration cannot describe, and those that are not forwarded yet. The check at start compares this list with the declarations. */
export const routeModules: readonly RouteModule[] = [
  addCampaignContacts,
  listEvents,
  getCallConfiguration,
  putCallArtifacts,
  reportGatewayCall,
  routeInboundCall,
  claimWorkerJobs,
  completeWorkerJob,
  heartbeatWorkerJobs,
  reportWorkerJob,
];
