import { createConsumer, PoisonError, type ConsumedEvent, type NatsSource } from '@parley/outbox';
import type { Background, Database, Logger, Registry } from '@parley/runtime';
import type { AuditRecord } from '../domain/records';
import { recordAuditEvent } from '../usecases/record-audit-event';

/** The payload of an act on the AUDIT stream; its event id becomes the audit id. */
export interface AuditPayload {
  readonly organization_id: string;
  readonly actor_key_id: string;
  /** Such as `agent.suspended`. */
  readonly action: string;
  readonly subject: string;
  /** Never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** ISO 8601: when the act happened. */
  readonly created_at: string;
}

/** Acts of the other services, kept in the audit log once each. */
export function auditConsumer(options: {
  db: Database;
  nats: NatsSource;
  log: Logger;
  metrics?: Registry;
  /** Servers that keep the stream. Default: 1. */
  replicas?: number;
}): Background {
  return createConsumer({
    ...options,
    stream: 'AUDIT',
    durable: 'auth-audit-log',
    subjects: ['audit.v1.>'],
    handle: (event) => recordAuditEvent(options.db, auditRecordOf(event)),
  });
}

/** PoisonError for a payload that no repetition would make readable. */
export function auditRecordOf(event: Pick<ConsumedEvent, 'id' | 'payload'>): AuditRecord {
  const payload = parse(event.payload);
  const text = (name: keyof AuditPayload): string => {
    const value = payload[name];
    if (typeof value !== 'string') throw new PoisonError(`an audit act without ${name}`);
    return value;
  };
  const createdAt = new Date(text('created_at'));
  if (Number.isNaN(createdAt.getTime())) throw new PoisonError('an audit act whose created_at is not a time');
  const { detail } = payload;
  return {
    auditId: event.id,
    organizationId: text('organization_id'),
    actorKeyId: text('actor_key_id'),
    action: text('action'),
    subject: text('subject'),
    detail: isObject(detail) ? detail : {},
    createdAt: createdAt.toISOString(),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new PoisonError('an audit act that is not JSON', error);
  }
  if (!isObject(value)) throw new PoisonError('an audit act that is not an object');
  return value;
}
