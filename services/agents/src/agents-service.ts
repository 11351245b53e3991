import {
  AgentsServiceService,
  type AgentForCall as AgentForCallMessage,
  type AgentsServiceServer,
} from '@parley/proto/agents';
import { documentOf, grpcService, type GrpcService } from '@parley/runtime';
import { tenantOf } from '@parley/service';
import { getAgentForCall, type AgentForCall, type Dependencies } from './agents';
import { getCallSecrets } from './call-secrets';
import { findAgentWithBase } from './knowledge';
import { getAgentForSimulation } from './simulations';
import { getMessageTemplate } from './templates';
import { openDraft } from './workflows';

/** The typed RPCs, which other services call. */
export function agentsService(dependencies: Dependencies): GrpcService {
  return grpcService<AgentsServiceServer>(AgentsServiceService, {
    async getAgentForCall(request, context) {
      const organizationId = tenantOf(context.caller, request.organizationId);
      const { agentId } = request;
      return callMessage(agentId, await getAgentForCall(dependencies, organizationId, agentId, context));
    },
    async getAgentForSimulation(request, context) {
      const organizationId = tenantOf(context.caller, request.organizationId);
      const question = { ...request, organizationId };
      return callMessage(request.agentId, await getAgentForSimulation(dependencies, question, context));
    },
    async openDraft(request, context) {
      const organizationId = tenantOf(context.caller, request.organizationId);
      const { workflow, armed } = await openDraft(dependencies, { ...request, organizationId });
      return { workflow: workflow === undefined ? undefined : documentOf('CallTuning.workflow', workflow), armed };
    },
    async getMessageTemplate(request, context) {
      const organizationId = tenantOf(context.caller, request.organizationId);
      const { body } = await getMessageTemplate(dependencies, organizationId, request.templateId);
      return { document: documentOf('MessageTemplate', body) };
    },
    async findAgentWithBase(request, context) {
      const organizationId = tenantOf(context.caller, request.organizationId);
      return { agentId: await findAgentWithBase(dependencies, organizationId, request.knowledgeBaseId) };
    },
    async getCallSecrets(request, context) {
      const organizationId = tenantOf(context.caller, request.organizationId);
      const question = { ...request, organizationId };
      const { bindings, tools, connections, external } = await getCallSecrets(dependencies, question, context);
      return {
        bindings: { ...bindings },
        tools: [...tools],
        connections: connections.map((connection) => documentOf('LeasedConnection', connection)),
        external,
      };
    },
  });
}

function callMessage(agentId: string, agent: AgentForCall): AgentForCallMessage {
  return {
    agentId,
    organizationId: agent.organization_id,
    projectId: agent.project_id,
    status: agent.status,
    mode: agent.mode,
    publicationVersion: agent.published_version,
    publicationSha256: agent.sha256,
    tuning: documentOf('CallTuning', tuningOfCall(agent)),
    blockers: [...agent.blockers],
    recordingEnabled: agent.recording_enabled,
    language: agent.language,
    costMicrosPerMinute: String(agent.cost_micros_per_minute),
    variables: agent.variables === null ? undefined : documentOf('VariablesConfig', agent.variables),
  };
}

/**
 * The stored tuning plus the published workflow, the saved settings and the knowledge bases. The JSON is concatenated as text instead of parsed, because this runs at the admission
 * of every call.
 */
function tuningOfCall({ tuning, workflow, knowledge_base_ids: bases, settings }: AgentForCall): string {
  const parts = [
    ...(workflow === null ? [] : [`"workflow":${workflow}`]),
    ...(settings === null ? [] : [`"settings":${settings}`]),
    ...(bases === null || bases.length === 0 ? [] : [`"knowledge_base_ids":${JSON.stringify(bases)}`]),
  ];
  return parts.length === 0 ? tuning : `${[tuning.slice(0, -1), ...parts].join(',')}}`;
}
