import { Agent, AgentUpdate, AgentVariablesUpdate, AgentVoiceStackUpdate, VoicePreviewCreate } from '@parley/contract';
import {
  AgentsServiceService,
  type AgentForCall as AgentForCallMessage,
  type AgentsServiceServer,
  type WriteAgentRequest,
} from '@parley/proto/agents';
import type { Resource } from '@parley/proto/common';
import { documentOf, grpcService, type CallContext, type GrpcService } from '@parley/runtime';
import { forbidden } from '@parley/errors';
import { createAgent } from '../usecases/create-agent';
import type { AgentAnswer, Dependencies } from '../usecases/dependencies';
import { getAgent, getVoiceStack } from '../usecases/get-agent';
import { getVariables } from '../usecases/get-variables';
import { getAgentForCall, type AgentForCall } from '../usecases/get-agent-for-call';
import { listAgents } from '../usecases/list-agents';
import { saveVoiceStack } from '../usecases/save-voice-stack';
import { previewVoice } from '../usecases/preview-voice';
import { replaceVariables } from '../usecases/replace-variables';
import { setSuspension, type SetSuspension } from '../usecases/set-suspension';
import { updateAgent } from '../usecases/update-agent';
import { organizationOf } from './organization-of';
import { templateHandlers } from './template-handlers';
import { workflowHandlers } from './workflow-handlers';
import { publicationHandlers } from './publication-handlers';
import { parseBody, parseLenient, type BodyOptions } from './parse-body';

/** The gRPC face of this service: parse, one use case, the answer mapped. */
export function agentsService(dependencies: Dependencies, options: BodyOptions): GrpcService {
  return grpcService<AgentsServiceServer>(AgentsServiceService, {
    async createAgent(request, context) {
      const body = () => parseBody(Agent, request.body, options);
      return resource(
        'AgentView',
        await createAgent(
          dependencies,
          { organizationId: organizationOf(request, context), body, idempotency: request.idempotency },
          context,
        ),
      );
    },
    async listAgents(request, context) {
      const { limit = 0, cursor = '' } = request.page ?? {};
      const json = await listAgents(dependencies, {
        organizationId: organizationOf(request, context),
        projectId: request.projectId,
        limit,
        cursor,
      });
      return { document: documentOf('AgentViewPage', json) };
    },
    async getAgent(request, context) {
      return resource('AgentView', await getAgent(dependencies, organizationOf(request, context), request.agentId));
    },
    async updateAgent(request, context) {
      const { agentId, ifMatch } = request;
      const body = () => parseBody(AgentUpdate, request.body, options);
      return resource(
        'AgentView',
        await updateAgent(
          dependencies,
          { organizationId: organizationOf(request, context), agentId, ifMatch, body },
          context,
        ),
      );
    },
    async suspendAgent(request, context) {
      return resource('AgentView', await setSuspension(dependencies, suspensionOf(request, context, true), context));
    },
    async reinstateAgent(request, context) {
      return resource('AgentView', await setSuspension(dependencies, suspensionOf(request, context, false), context));
    },
    async getVoiceStack(request, context) {
      return resource(
        'AgentVoiceStack',
        await getVoiceStack(dependencies, organizationOf(request, context), request.agentId),
      );
    },
    async saveVoiceStack(request, context) {
      const { agentId, ifMatch } = request;
      const body = () => parseBody(AgentVoiceStackUpdate, request.body, options);
      return resource(
        'AgentVoiceStack',
        await saveVoiceStack(
          dependencies,
          { organizationId: organizationOf(request, context), agentId, ifMatch, body },
          context,
        ),
      );
    },
    async getVariables(request, context) {
      return resource(
        'AgentVariables',
        await getVariables(dependencies, organizationOf(request, context), request.agentId),
      );
    },
    async replaceVariables(request, context) {
      const { agentId, ifMatch } = request;
      const body = () => parseBody(AgentVariablesUpdate, request.body, options);
      return resource(
        'AgentVariables',
        await replaceVariables(
          dependencies,
          { organizationId: organizationOf(request, context), agentId, ifMatch, body },
          context,
        ),
      );
    },
    ...publicationHandlers(dependencies, options),
    ...workflowHandlers(dependencies, options),
    ...templateHandlers(dependencies, options),
    async previewVoice(request, context) {
      const organizationId = organizationOf(request, context);
      const { value, ignored } = parseLenient(VoicePreviewCreate, request.body, options);
      const audio = await previewVoice(dependencies, organizationId, value, context);
      return { ...audio, ignoredFields: ignored };
    },
    async getAgentForCall(request, context) {
      return callMessage(
        request.agentId,
        await getAgentForCall(dependencies, organizationOf(request, context), request.agentId, context),
      );
    },
  });
}

/** The scope was checked at the edge; a customer's key is refused here all the same. */
function suspensionOf(request: WriteAgentRequest, context: CallContext, suspended: boolean): SetSuspension {
  const { caller } = context;
  if (caller?.kind !== 'operator') throw forbidden();
  const { agentId, ifMatch } = request;
  return { organizationId: organizationOf(request, context), agentId, ifMatch, suspended, actorKeyId: caller.keyId };
}

function resource(schema: string, { json, etag, replayed = false }: AgentAnswer): Resource {
  return { document: documentOf(schema, json), etag, replayed };
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

/** The tuning as stored, with the published workflow in it: text joined with text, because admission asks for every call. */
function tuningOfCall({ tuning, workflow }: AgentForCall): string {
  return workflow === null ? tuning : `${tuning.slice(0, -1)},"workflow":${workflow}}`;
}
