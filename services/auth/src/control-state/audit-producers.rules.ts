/**
 * The service that owns an action, by the first part of the action's name. Actions that are not listed belong to telephony. Auth writes its own entries in the
 * transaction of the change and never receives them over the stream.
 */
const owners: Readonly<Record<string, string>> = {
  agent: 'agents',
  connection: 'agents',
  message_template: 'agents',
  workflow: 'agents',
  agent_endpoint: 'webhooks',
  knowledge_base: 'knowledge',
  knowledge_document: 'knowledge',
  extraction: 'insights',
  simulation_suite: 'insights',
  simulation_run: 'insights',
  api_key: 'auth',
  component_credential: 'auth',
  gateway_token: 'auth',
  maintenance: 'auth',
  organization: 'auth',
  platform_key: 'auth',
  project: 'auth',
  verification: 'auth',
};

const ownerOfTheRest = 'telephony';

/**
 * NATS lets a service publish only under its own name (`audit.v1.<organization_id>.<service>`), so the subject identifies the producer. A subject without the
 * last part is from an earlier release; no NATS user may publish to one any more.
 * @returns the reason to reject the event; undefined if it is accepted
 */
export function checkProducer(subject: string, action: string): string | undefined {
  const producer = subject.split('.')[3];
  if (producer === undefined) return undefined;
  const owner = owners[action.split('.')[0] ?? ''] ?? ownerOfTheRest;
  return owner === producer ? undefined : `${action} is an action of ${owner}, but was published by ${producer}`;
}
