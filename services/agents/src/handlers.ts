import type { AnyRoute, BodyOf } from '@parley/contract';
import type { GrpcService } from '@parley/runtime';
import { handlerGroup, publicService, requireOperator, type PublicCall, type PublicHandlers } from '@parley/service';
import {
  createAgent,
  deleteAgent,
  getAgent,
  getConfiguration,
  getReadiness,
  getVoiceStack,
  listAgents,
  previewAgent,
  previewVoice,
  previewVoiceStack,
  rotateToolSecret,
  saveConfiguration,
  saveVoiceStack,
  setSuspension,
  updateAgent,
  type Dependencies,
  type SetSuspension,
} from './agents';
import {
  armPhonePin,
  createWorkflowDraft,
  deleteWorkflowDraft,
  disarmPhonePin,
  getWorkflow,
  getWorkflowVersion,
  publishWorkflow,
  restoreWorkflowVersion,
  saveWorkflowDraft,
  unpublishWorkflow,
} from './workflows';
import { createConnection, deleteConnection, getConnection, listConnections, updateConnection } from './connections';
import { assignBases, getAssignedBases } from './knowledge';
import { changeSetting, getSetting } from './settings';
import { getVariables, replaceVariables } from './variables';
import {
  createMessageTemplate,
  deleteMessageTemplate,
  getMessageTemplate,
  listMessageTemplates,
  updateMessageTemplate,
} from './templates';
import { diffPublication, getPublication, listPublications, restorePublication } from './publications';

/** The public routes of this service. */
export function agentsPublicService(
  dependencies: Dependencies,
  options: { readonly insecureUrls: boolean },
): GrpcService {
  return publicService('agents', handlers(dependencies), options);
}

function handlers(dependencies: Dependencies): PublicHandlers<'agents'> {
  return {
    ...agentHandlers(dependencies),
    ...publicationHandlers(dependencies),
    ...workflowHandlers(dependencies),
    ...templateHandlers(dependencies),
    ...connectionHandlers(dependencies),
    ...knowledgeHandlers(dependencies),
    ...settingHandlers(dependencies),
    previewVoice: async (call) => ({
      body: await previewVoice(dependencies, call.organizationId, call.body(), call.context),
    }),
  };
}

const group = handlerGroup<'agents'>();

function agentHandlers(dependencies: Dependencies) {
  return group({
    listAgents: async (call) => ({ body: await listAgents(dependencies, call.namedOrganizationId, call.query) }),
    createAgent: (call) => createAgent(dependencies, creation(call), call.context),
    getAgent: (call) => getAgent(dependencies, call.organizationId, agentId(call)),
    updateAgent: (call) => updateAgent(dependencies, change(call), call.context),
    deleteAgent: (call) => deleteAgent(dependencies, { ...ofAgent(call), ifMatch: call.ifMatch }, call.context),
    async rotateAgentToolSecret(call) {
      const request = { ...ofAgent(call), tool: call.params.name, body: () => call.body() };
      return { body: JSON.stringify(await rotateToolSecret(dependencies, request, call.context)) };
    },
    async rotateAgentSecret(call) {
      const request = { ...ofAgent(call), body: () => call.body() };
      return { body: JSON.stringify(await rotateToolSecret(dependencies, request, call.context)) };
    },
    suspendAgent: (call) =>
      setSuspension(dependencies, { ...suspension(call, true), body: () => call.body() }, call.context),
    reinstateAgent: (call) =>
      setSuspension(dependencies, { ...suspension(call, false), body: () => ({}) }, call.context),
    getAgentReadiness: async (call) => ({
      body: await getReadiness(dependencies, call.organizationId, agentId(call), call.context),
    }),
    getVoiceStack: (call) => getVoiceStack(dependencies, call.organizationId, agentId(call), call.context),
    saveVoiceStack: (call) => saveVoiceStack(dependencies, change(call), call.context),
    getAgentConfiguration: (call) => getConfiguration(dependencies, call.organizationId, agentId(call), call.context),
    saveAgentConfiguration: (call) => saveConfiguration(dependencies, change(call), call.context),
    previewVoiceStack: async (call) => ({ body: await previewVoiceStack(dependencies, change(call), call.context) }),
    previewAgent: async (call) => {
      const request = { organizationId: call.namedOrganizationId, body: call.body() };
      return { body: await previewAgent(dependencies, request, call.context) };
    },
    getVariables: (call) => getVariables(dependencies, call.organizationId, agentId(call)),
    replaceVariables: (call) => replaceVariables(dependencies, change(call), call.context),
  });
}

/** These reads set no ETag: the gateway computes one from the response body. */
function publicationHandlers(dependencies: Dependencies) {
  return group({
    listPublications: async (call) => ({
      body: await listPublications(dependencies, ofAgent(call), call.query),
    }),
    getPublication: async (call) => ({ body: await getPublication(dependencies, ofVersion(call), call.context) }),
    diffPublication: async (call) => ({
      body: await diffPublication(dependencies, { ...ofVersion(call), against: call.query.against }, call.context),
    }),
    restorePublication: (call) =>
      restorePublication(dependencies, { ...ofVersion(call), ifMatch: call.ifMatch }, call.context),
  });
}

function workflowHandlers(dependencies: Dependencies) {
  return group({
    getWorkflow: async (call) => ({ body: await getWorkflow(dependencies, ofAgent(call), call.query) }),
    getWorkflowVersion: async (call) => ({ body: await getWorkflowVersion(dependencies, ofVersion(call)) }),
    unpublishWorkflow: async (call) => ({ body: await unpublishWorkflow(dependencies, act(call)) }),
    restoreWorkflowVersion: async (call) => ({
      body: await restoreWorkflowVersion(dependencies, { ...act(call), version: call.params.version }, call.context),
    }),
    deleteWorkflowDraft: async (call) => ({ body: await deleteWorkflowDraft(dependencies, act(call)) }),
    createWorkflowDraft: (call) => createWorkflowDraft(dependencies, { ...ofAgent(call), ...creation(call) }),
    saveWorkflowDraft: async (call) => ({ body: await saveWorkflowDraft(dependencies, change(call), call.context) }),
    publishWorkflow: async (call) => ({ body: await publishWorkflow(dependencies, change(call), call.context) }),
    armWorkflowPhonePin: async (call) => ({ body: await armPhonePin(dependencies, change(call), call.context) }),
    disarmWorkflowPhonePin: async (call) => ({ body: await disarmPhonePin(dependencies, act(call), call.context) }),
  });
}

function templateHandlers(dependencies: Dependencies) {
  return group({
    createMessageTemplate: (call) => createMessageTemplate(dependencies, ownCreation(call)),
    listMessageTemplates: async (call) => ({
      body: await listMessageTemplates(dependencies, call.namedOrganizationId, call.query),
    }),
    getMessageTemplate: (call) => getMessageTemplate(dependencies, call.organizationId, call.params.template_id),
    deleteMessageTemplate: (call) =>
      deleteMessageTemplate(dependencies, {
        organizationId: call.organizationId,
        templateId: call.params.template_id,
        ifMatch: call.ifMatch,
        actor: call.context,
      }),
    updateMessageTemplate: (call) =>
      updateMessageTemplate(dependencies, {
        organizationId: call.organizationId,
        templateId: call.params.template_id,
        ifMatch: call.ifMatch,
        actor: call.context,
        body: () => call.body(),
      }),
  });
}

function connectionHandlers(dependencies: Dependencies) {
  const ofConnection = (call: Named & Pick<PublicCall, 'organizationId' | 'ifMatch' | 'context'>) => ({
    organizationId: call.organizationId,
    connectionId: call.params['connection_id'] ?? '',
    ifMatch: call.ifMatch,
    actor: call.context,
  });
  return group({
    createConnection: (call) => createConnection(dependencies, ownCreation(call)),
    listConnections: async (call) => ({
      body: await listConnections(dependencies, call.namedOrganizationId, call.query),
    }),
    getConnection: (call) => getConnection(dependencies, call.organizationId, call.params.connection_id),
    updateConnection: (call) => updateConnection(dependencies, { ...ofConnection(call), body: () => call.body() }),
    deleteConnection: (call) => deleteConnection(dependencies, ofConnection(call)),
  });
}

function knowledgeHandlers(dependencies: Dependencies) {
  return group({
    getAgentKnowledgeBases: async (call) => ({
      body: await getAssignedBases(dependencies, call.organizationId, agentId(call)),
    }),
    setAgentKnowledgeBases: async (call) => ({ body: await assignBases(dependencies, change(call), call.context) }),
  });
}

function settingHandlers(dependencies: Dependencies) {
  const reset = (call: Named & Pick<PublicCall, 'organizationId' | 'ifMatch' | 'context'>) => ({
    ...ofAgent(call),
    ifMatch: call.ifMatch,
    actor: call.context,
  });
  return group({
    getAgentKeys: (call) => getSetting(dependencies, ofAgent(call), 'keys'),
    replaceAgentKeys: (call) => changeSetting(dependencies, change(call), 'keys'),
    deleteAgentKeys: (call) => changeSetting(dependencies, reset(call), 'keys'),
  });
}

type Named = Pick<PublicCall, 'params'>;

const agentId = ({ params }: Named): string => params['agent_id'] ?? '';

const ofAgent = (call: Named & Pick<PublicCall, 'organizationId'>) => ({
  organizationId: call.organizationId,
  agentId: agentId(call),
});

/** A version of a publication or of a workflow. */
const ofVersion = (call: Named & Pick<PublicCall, 'organizationId'>) => ({
  ...ofAgent(call),
  version: call.params['version'] ?? '',
});

/** The arguments of a change. The use case itself calls `body` to validate the body, after its other checks. */
const change = <R extends AnyRoute>(call: PublicCall<R>) => ({
  ...ofAgent(call),
  ifMatch: call.ifMatch,
  actor: call.context,
  body: (): BodyOf<R> => call.body(),
});

/** A write without a body. */
const act = <R extends AnyRoute>(call: PublicCall<R>) => ({
  ...ofAgent(call),
  actor: call.context,
  body: () => ({}),
});

const creation = <R extends AnyRoute>(call: PublicCall<R>) => ({
  organizationId: call.organizationId,
  actor: call.context,
  body: (): BodyOf<R> => call.body(),
  creating: (organizationId: string) => call.creating(organizationId),
});

/**
 * The arguments of a creation whose body contains no organization: operators have to name it in the request. @throws AppError 400 for an operator who names
 * none
 */
const ownCreation = <R extends AnyRoute>(call: PublicCall<R>) => ({
  ...creation(call),
  organizationId: call.namedOrganizationId,
});

/** Requires an operator. The gateway has already checked the scope; this also checks the kind of credential. @throws AppError 403 */
function suspension<R extends AnyRoute>(call: PublicCall<R>, suspended: boolean): Omit<SetSuspension, 'body'> {
  requireOperator(call.caller);
  return { ...ofAgent(call), ifMatch: call.ifMatch, suspended };
}
