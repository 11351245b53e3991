import { createConsumer, UnprocessableEventError, type ConsumedEvent, type NatsSource } from '@parley/outbox';
import { type Background, type Database, type Logger, type Registry, poller } from '@parley/runtime';
import type { AuditPayload } from '@parley/service';
import { knownActs, type AuditRecord } from '../audit';
import { checkProducer } from './audit-producers.rules';
import { recordAuditEvents } from './record-audit-events';
import { deleteOldChanges } from './control.cross-tenant.sql';

/** Consumes the audit events of other services and stores each once in the audit log. */
export function auditConsumer(options: {
  db: Database;
  nats: NatsSource;
  log: Logger;
  metrics?: Registry;
  /** Number of NATS servers that store a copy of the stream. Default: 1. */
  replicas?: number;
}): Background {
  return createConsumer({
    ...options,
    stream: 'AUDIT',
    durable: 'auth-audit-log',
    subjects: ['audit.v1.>'],
    known: (ids) => knownActs(options.db, ids),
    handle: (event) => recordAuditEvents(options.db, [auditRecordOf(event)]),
    handleMany: (events) => recordAuditEvents(options.db, events.map(auditRecordOf)),
  });
}

/** @throws UnprocessableEventError for an unreadable payload, and for an action that its producer may not publish */
export function auditRecordOf(event: Pick<ConsumedEvent, 'id' | 'subject' | 'payload'>): AuditRecord {
  const payload = parse(event.payload);
  const text = (name: keyof AuditPayload): string => {
    const value = payload[name];
    if (typeof value !== 'string') throw new UnprocessableEventError(`audit event has no field ${name}`);
    return value;
  };
  const originText = (name: 'client_address' | 'user_agent'): string => {
    const value = payload[name];
    return typeof value === 'string' ? value.slice(0, 256) : '';
  };
  const action = text('action');
  const refusal = checkProducer(event.subject, action);
  if (refusal !== undefined) throw new UnprocessableEventError(refusal);
  const createdAt = new Date(text('created_at'));
  if (Number.isNaN(createdAt.getTime())) throw new UnprocessableEventError('audit event with an invalid created_at');
  const { detail } = payload;
  return {
    auditId: event.id,
    organizationId: text('organization_id'),
    actorKeyId: text('actor_key_id'),
    action,
    subject: text('subject'),
    detail: isObject(detail) ? detail : {},
    clientAddress: originText('client_address'),
    userAgent: originText('user_agent'),
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
    throw new UnprocessableEventError('audit event that is not JSON', error);
  }
  if (!isObject(value)) throw new UnprocessableEventError('audit event that is not an object');
  return value;
}

/**
 * How long a change is kept: many times the age at which a process verifies a key again. A process that has not polled for longer receives the complete state
 * and drops its cache.
 */
const keptMs = 15 * 60_000;
const everyMs = 60_000;
/** The epoch row is locked while a batch is deleted. */
const batchSize = 1_000;

/** Deletes changes of the control state that are too old for any process to request. */
export function changePruner({ db, log }: { db: Database; log: Logger }): Background {
  return poller({ name: 'control-changes-prune', everyMs, log, run: (signal) => pruneChanges(db, keptMs, signal) });
}

export async function pruneChanges(db: Database, ageMs: number, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true) {
    if ((await deleteOldChanges(db, ageMs, batchSize)) < batchSize) return;
  }
}
