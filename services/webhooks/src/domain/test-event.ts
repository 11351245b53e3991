import type { EventType } from '@parley/contract';
import type { Endpoint } from './endpoint';

/** A sample event: the envelope of a real one, with data that says what it is. */
export interface TestEvent {
  readonly id: string;
  readonly type: EventType;
  /** The exact text that is signed and sent. */
  readonly payload: string;
  readonly createdAt: string;
}

/** Of the first type that the endpoint subscribes to, about the endpoint itself. */
export function testEventOf(endpoint: Endpoint, id: string, now: Date): TestEvent {
  const [type] = endpoint.events;
  if (type === undefined) throw new Error('an endpoint subscribes to something');
  const createdAt = now.toISOString();
  const envelope = {
    id,
    type,
    created_at: createdAt,
    organization_id: endpoint.organizationId,
    project_id: endpoint.projectId,
    agent_id: null,
    resource_id: endpoint.id,
    resource_seq: 1,
    data: { test: true },
  };
  return { id, type, payload: JSON.stringify(envelope), createdAt };
}
