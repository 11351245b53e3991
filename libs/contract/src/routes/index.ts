import { apiKeyRoutes, maintenanceRoutes, organizationRoutes, platformAuditRoutes } from './access';
import { agentEndpointRoutes } from './agent-endpoints';
import { agentSettingRoutes } from './agent-settings';
import { agentRoutes } from './agents';
import { analyticsRoutes } from './analytics';
import { callRoutes } from './calls';
import { campaignRoutes } from './campaigns';
import { chatRoutes } from './chats';
import { connectionRoutes } from './connections';
import { named } from './define';
import { demoRoutes } from './demo';
import { verificationRoutes } from './verifications';
import { carrierCredentialRoutes, componentCredentialRoutes, gatewayTokenRoutes } from './credentials';
import { extractionRoutes } from './extraction';
import { knowledgeRoutes } from './knowledge';
import { commandRoutes, liveControlRoutes } from './live-control';
import { meRoutes } from './me';
import { mediaGatewayRoutes } from './media-gateways';
import { numberRoutes } from './numbers';
import { simulationRoutes } from './simulations';
import { sipTrunkRoutes } from './sip-trunks';
import { operatorKeyRoutes } from './operator-keys';
import { publicationRoutes } from './publications';
import type { AnyRoute } from './route';
import { retentionRoutes } from './retention';
import { messageRoutes } from './messages';
import { messageTemplateRoutes } from './message-templates';
import { usageRoutes } from './usage';
import { variablesRoutes } from './variables';
import { voicePreviewRoutes, voiceRoutes } from './voices';
import { workerJobRoutes } from './worker-jobs';
import { workerRoutes } from './workers';
import { workflowRoutes } from './workflow';
import { controlRoutes, walletRoutes } from './wallet';

/** All REST routes of the platform by name. */
export const routes = named({
  ...agentRoutes,
  ...publicationRoutes,
  ...variablesRoutes,
  ...agentSettingRoutes,
  ...workflowRoutes,
  ...messageTemplateRoutes,
  ...connectionRoutes,
  ...extractionRoutes,
  ...simulationRoutes,
  ...knowledgeRoutes,
  ...messageRoutes,
  ...voiceRoutes,
  ...voicePreviewRoutes,
  ...agentEndpointRoutes,
  ...apiKeyRoutes,
  ...operatorKeyRoutes,
  ...componentCredentialRoutes,
  ...carrierCredentialRoutes,
  ...gatewayTokenRoutes,
  ...meRoutes,
  ...organizationRoutes,
  ...platformAuditRoutes,
  ...maintenanceRoutes,
  ...numberRoutes,
  ...sipTrunkRoutes,
  ...callRoutes,
  ...chatRoutes,
  ...demoRoutes,
  ...verificationRoutes,
  ...analyticsRoutes,
  ...usageRoutes,
  ...liveControlRoutes,
  ...workerJobRoutes,
  ...commandRoutes,
  ...workerRoutes,
  ...campaignRoutes,
  ...walletRoutes,
  ...controlRoutes,
  ...retentionRoutes,
  ...mediaGatewayRoutes,
});

/** All routes as a list. */
export const allRoutes: readonly AnyRoute[] = Object.values(routes);

export * from './body-may-be-absent';
export * from './route';
export * from './carrier-webhooks';
