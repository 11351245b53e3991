import { routes } from '@parley/contract';
import type { Customer, Json } from './agents-platform';

/** A definition without errors. */
export const blankWorkflow = {
  nodes: [
    { id: 'start', type: 'start' },
    { id: 'end', type: 'end' },
  ],
  edges: [{ from: 'start', to: 'end' }],
};

/** The workflow routes of agents; `customer` sends the requests that name no other caller. */
export function workflowsOf(customer: Customer) {
  const at = (agentId: string) => ({ params: { agent_id: agentId } });
  const json = async (pending: Promise<{ body: object }>) => (await pending).body as Json;

  const read = (agentId: string, page: { offset?: number; limit?: number } = {}, of = customer) =>
    json(of.ask(routes.getWorkflow, { ...at(agentId), query: page }));
  const begin = async (agentId: string, body: Json = {}, key = '', of = customer) => {
    const pending = of.ask(routes.createWorkflowDraft, { ...at(agentId), body, key });
    const { replayed } = await pending;
    return { body: await json(pending), replayed };
  };
  const save = (agentId: string, body: Json, of = customer) =>
    json(of.ask(routes.saveWorkflowDraft, { ...at(agentId), body }));
  const publish = (agentId: string, body: Json = {}, of = customer) =>
    json(of.ask(routes.publishWorkflow, { ...at(agentId), body }));
  const arm = (agentId: string, body: Json = {}, of = customer) =>
    json(of.ask(routes.armWorkflowPhonePin, { ...at(agentId), body }));
  const disarm = (agentId: string, of = customer) => json(of.ask(routes.disarmWorkflowPhonePin, at(agentId)));
  return { read, begin, save, publish, arm, disarm };
}
