import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '@parley/contract';
import { documentOf, jsonOf } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import type { Customer, Json } from './agents-platform';

/** A definition without a fault. */
export const blankWorkflow = {
  nodes: [
    { id: 'start', type: 'start' },
    { id: 'end', type: 'end' },
  ],
  edges: [{ from: 'start', to: 'end' }],
};

/** The workflow routes of agents, as `customer` asks them unless told otherwise. */
export function workflowsOf(customer: Customer) {
  const context = (of = customer) => ({ requestId: randomUUID(), caller: customerCaller(of.organizationId) });
  const at = (agentId: string, of = customer) => ({ organizationId: of.organizationId, agentId });
  const write = (agentId: string, schema: string, body: Json, of = customer) => ({
    ...at(agentId, of),
    body: documentOf(schema, body),
    ifMatch: '',
  });

  const read = async (agentId: string, page = { offset: 0, limit: 0 }, of = customer) =>
    jsonOf<Json>((await of.client.getWorkflow({ ...at(agentId, of), ...page }, context(of))).document);
  const begin = async (agentId: string, body: Json = {}, key = '', of = customer) => {
    const fingerprint = createHash('sha256').update(canonicalJson(body)).digest();
    const idempotency = { key, route: 'create-workflow-draft', fingerprint };
    const request = { ...at(agentId, of), body: documentOf('WorkflowDraftCreate', body), idempotency };
    const answer = await of.client.createWorkflowDraft(request, context(of));
    return { body: jsonOf<Json>(answer.document), replayed: answer.replayed, ignored: answer.ignoredFields };
  };
  const save = async (agentId: string, body: Json, of = customer) =>
    jsonOf<Json>(
      (await of.client.saveWorkflowDraft(write(agentId, 'WorkflowDraftUpdate', body, of), context(of))).document,
    );
  const publish = async (agentId: string, body: Json = {}, of = customer) =>
    jsonOf<Json>((await of.client.publishWorkflow(write(agentId, 'WorkflowPublish', body, of), context(of))).document);
  const arm = async (agentId: string, body: Json = {}, of = customer) =>
    jsonOf<Json>((await of.client.armPhonePin(write(agentId, 'PhonePinArm', body, of), context(of))).document);
  const disarm = async (agentId: string, of = customer) =>
    jsonOf<Json>((await of.client.disarmPhonePin(at(agentId, of), context(of))).document);
  return { read, begin, save, publish, arm, disarm };
}
