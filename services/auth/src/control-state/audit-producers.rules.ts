/**
 * The service that owns each act, by the first part of the action; unlisted ones are telephony's. Auth writes its own acts here, with their change, and never
 * receives them over the stream.
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
};

const ownerOfTheRest = 'telephony';

/**
 * NATS lets a service publish under its own name alone (`audit.v1.<organization_id>.<service>`), so the subject says who acted. A subject
 * that ends with the organization is of an earlier release; no user may publish to one any more.
 * @returns why the act is not to be kept
 */
export function checkProducer(subject: string, action: string): string | undefined {
  const producer = subject.split('.')[3];
  if (producer === undefined) return undefined;
  const owner = owners[action.split('.')[0] ?? ''] ?? ownerOfTheRest;
  return owner === producer ? undefined : `${action} is an act of ${owner}, published by ${producer}`;
}
