import { eventData, eventSubject, type CallEventType } from '@parley/contract';
import type { Call } from './call.rules';
import type { CallStep } from './call-transitions.rules';
import { renderCall } from './render-call.rules';

/** An event of a call, ready to be appended to the outbox and to the call's own log. */
export interface CallEvent {
  readonly eventId: string;
  readonly type: CallEventType;
  readonly resourceSeq: number;
  readonly subject: string;
  /**
   * JSON of the class EventEnvelope (docs/reference/endpoints-and-events.md) is the concatenation of `head`, `data` and `}`, so that several events can share
   * their data.
   */
  readonly head: string;
  /** JSON of the call, or of a link to it if it is too large for an event. */
  readonly data: string;
  readonly createdAt: Date;
}

type EventfulStep = CallStep & { readonly event: CallEventType };

/** The event of a step. `data` is the call as the API would return it right after that step. */
export function callEvent(eventId: string, { call, event }: EventfulStep, at: Date): CallEvent {
  return eventOf(eventId, event, call, renderCall(call), at);
}

/** Like `callEvent`, with the call already rendered. */
export function eventOf(eventId: string, type: CallEventType, call: Call, rendered: string, at: Date): CallEvent {
  const head = JSON.stringify({
    id: eventId,
    type,
    created_at: at.toISOString(),
    organization_id: call.organizationId,
    project_id: call.projectId === '' ? null : call.projectId,
    agent_id: call.agentId === '' ? null : call.agentId,
    resource_id: call.callId,
    resource_seq: call.resourceSeq,
  });
  return {
    eventId,
    type,
    resourceSeq: call.resourceSeq,
    subject: eventSubject(call.organizationId, type),
    head: `${head.slice(0, -1)},"data":`,
    data: eventData(rendered, `/v1/calls/${call.callId}`),
    createdAt: at,
  };
}
