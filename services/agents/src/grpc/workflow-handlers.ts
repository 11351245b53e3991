import { PhonePinArm, WorkflowDraftCreate, WorkflowDraftUpdate, WorkflowPublish } from '@parley/contract';
import type { AgentsServiceServer, WriteAgentRequest, WrittenResource } from '@parley/proto/agents';
import { documentOf, type CallContext, type UnaryHandlers } from '@parley/runtime';
import type { Workspace } from '../usecases/change-agent';
import { createWorkflowDraft } from '../usecases/create-workflow-draft';
import type { Dependencies } from '../usecases/dependencies';
import { getWorkflow } from '../usecases/get-workflow';
import { armPhonePin, disarmPhonePin } from '../usecases/phone-pin';
import { publishWorkflow } from '../usecases/publish-workflow';
import { saveWorkflowDraft } from '../usecases/save-workflow-draft';
import type { WorkflowRequest } from '../usecases/workflow-transaction';
import { organizationOf } from './organization-of';
import { lenientBody, type BodyOptions } from './parse-body';

type WorkflowMethods =
  'getWorkflow' | 'createWorkflowDraft' | 'saveWorkflowDraft' | 'publishWorkflow' | 'armPhonePin' | 'disarmPhonePin';

/** Workflows and their phone PINs. Names in a body that nobody knows are ignored and told. */
export function workflowHandlers(
  dependencies: Dependencies,
  options: BodyOptions,
): Pick<UnaryHandlers<AgentsServiceServer>, WorkflowMethods> {
  /** A write whose use case answers JSON text. */
  const write =
    <Body extends Workspace>(
      schema: string,
      cls: new () => Body,
      useCase: (dependencies: Dependencies, request: WorkflowRequest<Body>) => Promise<string>,
    ) =>
    async (message: WriteAgentRequest, context: CallContext): Promise<WrittenResource> => {
      const { request, ignored } = lenient(message, cls, context, options);
      const json = await useCase(dependencies, request);
      return { document: documentOf(schema, json), etag: '', replayed: false, ignoredFields: ignored };
    };
  return {
    async getWorkflow(request, context) {
      const { agentId, offset, limit } = request;
      const organizationId = organizationOf(request, context);
      const json = await getWorkflow(dependencies, { organizationId, agentId, offset, limit });
      return { document: documentOf('AgentWorkflowRead', json), etag: '', replayed: false };
    },
    async createWorkflowDraft(message, context) {
      const { request, ignored } = lenient(message, WorkflowDraftCreate, context, options);
      const { idempotency } = message;
      const { json, replayed = false } = await createWorkflowDraft(dependencies, { ...request, idempotency });
      return { document: documentOf('WorkflowDraft', json), etag: '', replayed, ignoredFields: ignored };
    },
    saveWorkflowDraft: write('WorkflowDraft', WorkflowDraftUpdate, saveWorkflowDraft),
    publishWorkflow: write('WorkflowVersion', WorkflowPublish, publishWorkflow),
    armPhonePin: write('PhonePin', PhonePinArm, armPhonePin),
    async disarmPhonePin(request, context) {
      const organizationId = organizationOf(request, context);
      const { agentId } = request;
      const json = await disarmPhonePin(dependencies, { organizationId, agentId, body: () => ({}) });
      return { document: documentOf('PhonePin', json), etag: '', replayed: false };
    },
  };
}

/** The request of a write, with the names that its body turned out not to know once it was read. */
function lenient<Body extends Workspace>(
  message: Pick<WriteAgentRequest, 'organizationId' | 'agentId' | 'body'>,
  cls: new () => Body,
  context: CallContext,
  options: BodyOptions,
): { readonly request: WorkflowRequest<Body>; readonly ignored: string[] } {
  const { body, ignored } = lenientBody(cls, message.body, options);
  return { request: { organizationId: organizationOf(message, context), agentId: message.agentId, body }, ignored };
}
