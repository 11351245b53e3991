import type { AnyRoute, BodyOf } from '@parley/contract';
import type { GrpcService } from '@parley/runtime';
import { publicService, requireOperator, type PublicCall, type PublicHandlers } from '@parley/service';
import { createAgent } from './usecases/create-agent';
import { createWorkflowDraft } from './usecases/create-workflow-draft';
import type { Dependencies } from './usecases/dependencies';
import { getAgent, getVoiceStack } from './usecases/get-agent';
import { getVariables } from './usecases/get-variables';
import { getWorkflow } from './usecases/get-workflow';
import { listAgents } from './usecases/list-agents';
import {
  createMessageTemplate,
  getMessageTemplate,
  listMessageTemplates,
  updateMessageTemplate,
} from './usecases/message-templates';
import { armPhonePin, disarmPhonePin } from './usecases/phone-pin';
import { previewVoice } from './usecases/preview-voice';
import { previewVoiceStack } from './usecases/preview-voice-stack';
import { publishWorkflow } from './usecases/publish-workflow';
import { diffPublication, getPublication, listPublications } from './usecases/read-publications';
import { replaceVariables } from './usecases/replace-variables';
import { restorePublication } from './usecases/restore-publication';
import { saveVoiceStack } from './usecases/save-voice-stack';
import { saveWorkflowDraft } from './usecases/save-workflow-draft';
import { setSuspension, type SetSuspension } from './usecases/set-suspension';
import { updateAgent } from './usecases/update-agent';

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
    previewVoice: async (call) => ({
      body: await previewVoice(dependencies, call.organizationId, call.body(), call.context),
    }),
  };
}

type Handlers<Name extends keyof PublicHandlers<'agents'>> = Pick<PublicHandlers<'agents'>, Name>;

type AgentRoutes =
  | 'listAgents'
  | 'createAgent'
  | 'getAgent'
  | 'updateAgent'
  | 'suspendAgent'
  | 'reinstateAgent'
  | 'getVoiceStack'
  | 'saveVoiceStack'
  | 'previewVoiceStack'
  | 'getVariables'
  | 'replaceVariables';

function agentHandlers(dependencies: Dependencies): Handlers<AgentRoutes> {
  return {
    listAgents: async (call) => ({ body: await listAgents(dependencies, call.namedOrganizationId, call.query) }),
    createAgent: (call) => createAgent(dependencies, creation(call), call.context),
    getAgent: (call) => getAgent(dependencies, call.organizationId, agentId(call)),
    updateAgent: (call) => updateAgent(dependencies, change(call), call.context),
    suspendAgent: (call) => setSuspension(dependencies, suspension(call, true), call.context),
    reinstateAgent: (call) => setSuspension(dependencies, suspension(call, false), call.context),
    getVoiceStack: (call) => getVoiceStack(dependencies, call.organizationId, agentId(call)),
    saveVoiceStack: (call) => saveVoiceStack(dependencies, change(call), call.context),
    previewVoiceStack: async (call) => ({ body: await previewVoiceStack(dependencies, change(call), call.context) }),
    getVariables: (call) => getVariables(dependencies, call.organizationId, agentId(call)),
    replaceVariables: (call) => replaceVariables(dependencies, change(call), call.context),
  };
}

type PublicationRoutes = 'listPublications' | 'getPublication' | 'diffPublication' | 'restorePublication';

/** These reads set no entity tag: the gateway makes one over their text. */
function publicationHandlers(dependencies: Dependencies): Handlers<PublicationRoutes> {
  return {
    listPublications: async (call) => ({
      body: await listPublications(dependencies, ofAgent(call), call.query),
    }),
    getPublication: async (call) => ({ body: await getPublication(dependencies, publication(call), call.context) }),
    diffPublication: async (call) => ({
      body: await diffPublication(dependencies, { ...publication(call), against: call.query.against }, call.context),
    }),
    restorePublication: (call) =>
      restorePublication(dependencies, { ...publication(call), ifMatch: call.ifMatch }, call.context),
  };
}

type WorkflowRoutes =
  'getWorkflow' | 'createWorkflowDraft' | 'saveWorkflowDraft' | 'publishWorkflow' | 'armPhonePin' | 'disarmPhonePin';

function workflowHandlers(dependencies: Dependencies): Handlers<WorkflowRoutes> {
  return {
    getWorkflow: async (call) => ({ body: await getWorkflow(dependencies, ofAgent(call), call.query) }),
    createWorkflowDraft: (call) => createWorkflowDraft(dependencies, { ...ofAgent(call), ...creation(call) }),
    saveWorkflowDraft: async (call) => ({ body: await saveWorkflowDraft(dependencies, change(call)) }),
    publishWorkflow: async (call) => ({ body: await publishWorkflow(dependencies, change(call)) }),
    armPhonePin: async (call) => ({ body: await armPhonePin(dependencies, change(call)) }),
    disarmPhonePin: async (call) => ({
      body: await disarmPhonePin(dependencies, { ...ofAgent(call), body: () => ({}) }),
    }),
  };
}

type TemplateRoutes = 'createMessageTemplate' | 'listMessageTemplates' | 'getMessageTemplate' | 'updateMessageTemplate';

function templateHandlers(dependencies: Dependencies): Handlers<TemplateRoutes> {
  return {
    createMessageTemplate: (call) => createMessageTemplate(dependencies, creation(call)),
    listMessageTemplates: async (call) => ({
      body: await listMessageTemplates(dependencies, call.namedOrganizationId, call.query),
    }),
    getMessageTemplate: (call) => getMessageTemplate(dependencies, call.organizationId, call.params.template_id),
    updateMessageTemplate: (call) =>
      updateMessageTemplate(dependencies, {
        organizationId: call.organizationId,
        templateId: call.params.template_id,
        ifMatch: call.ifMatch,
        body: () => call.body(),
      }),
  };
}

type Named = Pick<PublicCall, 'params'>;

const agentId = ({ params }: Named): string => params['agent_id'] ?? '';

const ofAgent = (call: Named & Pick<PublicCall, 'organizationId'>) => ({
  organizationId: call.organizationId,
  agentId: agentId(call),
});

const publication = (call: Named & Pick<PublicCall, 'organizationId'>) => ({
  ...ofAgent(call),
  version: call.params['version'] ?? '',
});

/** The body is validated when a use case asks for it. */
const change = <R extends AnyRoute>(call: PublicCall<R>) => ({
  ...ofAgent(call),
  ifMatch: call.ifMatch,
  body: (): BodyOf<R> => call.body(),
});

const creation = <R extends AnyRoute>(call: PublicCall<R>) => ({
  organizationId: call.organizationId,
  body: (): BodyOf<R> => call.body(),
  creating: (organizationId: string) => call.creating(organizationId),
});

/** The gateway has checked the scope; the kind of credential is checked here too. @throws AppError 403 */
function suspension(call: PublicCall, suspended: boolean): SetSuspension {
  requireOperator(call.caller);
  return { ...ofAgent(call), ifMatch: call.ifMatch, suspended, actorKeyId: call.caller.keyId };
}
