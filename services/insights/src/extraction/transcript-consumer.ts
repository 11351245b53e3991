import { eventSubject, type EventType } from '@parley/contract';
import { createConsumer, UnprocessableEventError, type ConsumedEvent, type NatsSource } from '@parley/outbox';
import type { Background, Database, Logger, Registry } from '@parley/runtime';
import { addJobs, type TranscriptReady } from './jobs.cross-tenant.sql';

export interface TranscriptConsumerOptions {
  readonly db: Database;
  readonly nats: NatsSource;
  readonly log: Logger;
  readonly metrics: Registry;
  /** The number of replicas of the stream. */
  readonly replicas: number;
  /** Called after the commit. */
  readonly onJobs: () => void;
}

const type: EventType = 'call.transcript.ready';

function readyOf({ payload }: ConsumedEvent): TranscriptReady | undefined {
  let event: Partial<Record<'id' | 'organization_id' | 'agent_id' | 'resource_id', unknown>>;
  try {
    event = JSON.parse(payload) as typeof event;
  } catch (error) {
    throw new UnprocessableEventError('the event is not JSON', error);
  }
  const { id: eventId, organization_id: organizationId, agent_id: agentId, resource_id: callId } = event;
  if (typeof eventId !== 'string' || typeof organizationId !== 'string' || typeof callId !== 'string')
    throw new UnprocessableEventError('the event names no call of an organization');
  return typeof agentId === 'string' ? { eventId, organizationId, agentId, callId } : undefined;
}

/** Adds a job for each transcript of an agent that has an extraction configured. A redelivered event results in the same job with the same run. */
export function transcriptConsumer({ onJobs, ...options }: TranscriptConsumerOptions): Background {
  const take = async (events: readonly ConsumedEvent[]): Promise<void> => {
    const ready = events.flatMap((event) => readyOf(event) ?? []);
    if (ready.length > 0 && (await addJobs(options.db, ready)) > 0) onJobs();
  };
  return createConsumer({
    ...options,
    stream: 'EVENTS',
    durable: 'insights',
    subjects: [eventSubject('*', type)],
    handle: (event) => take([event]),
    handleMany: take,
  });
}
