import { auditSubject } from '@parley/contract';
import type { OutboxEvent } from '@parley/outbox';
import { newId, type Caller, type ClientOrigin } from '@parley/runtime';

/** An action to be recorded in the audit log. */
export interface AuditAct {
  /** Empty for actions on the platform itself. */
  readonly organizationId: string;
  /** For example wallet.topped_up. */
  readonly action: string;
  /** The id of the affected record. */
  readonly subject: string;
  /** Must not contain a secret. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The revision of the subject: actions with a revision are published in its order, others independently. */
  readonly revision?: number;
}

/** Who performed an action and from where. A `PublicCall` can be used, and so can its context; `{}` if the platform itself performed it. */
export interface AuditActor {
  readonly caller?: Caller | undefined;
  readonly client?: ClientOrigin | undefined;
  readonly traceparent?: string | undefined;
}

/** An action as stored in the audit log, without its time. */
export interface AuditRecord extends Omit<AuditAct, 'revision'> {
  readonly auditId: string;
  /** The id of the key that performed the action; empty if there was none. */
  readonly actorKeyId: string;
  /** Empty if unknown; the same for `userAgent`. */
  readonly clientAddress: string;
  readonly userAgent: string;
}

/** The payload of an action on the AUDIT stream. The event's id is the audit id. Consumers ignore unknown fields. */
export interface AuditPayload {
  readonly organization_id: string;
  readonly actor_key_id: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly client_address: string;
  readonly user_agent: string;
  /** When the action happened (ISO 8601). */
  readonly created_at: string;
  readonly resource_id?: string;
  readonly resource_seq?: number;
}

/** The record of an action, for the service that owns the audit log. */
export function auditRecord({ revision: _, ...act }: AuditAct, { caller, client }: AuditActor): AuditRecord {
  return {
    ...act,
    auditId: newId('aud'),
    actorKeyId: caller?.keyId ?? '',
    clientAddress: client?.address ?? '',
    userAgent: client?.userAgent ?? '',
  };
}

/** The event of an action, for all other services, which append it to the outbox in the transaction of the action. */
export function auditEvent(act: AuditAct, at: Date, actor: AuditActor): OutboxEvent {
  const record = auditRecord(act, actor);
  const payload: AuditPayload = {
    organization_id: record.organizationId,
    actor_key_id: record.actorKeyId,
    action: record.action,
    subject: record.subject,
    detail: record.detail,
    client_address: record.clientAddress,
    user_agent: record.userAgent,
    created_at: at.toISOString(),
    ...(act.revision !== undefined && { resource_id: act.subject, resource_seq: act.revision }),
  };
  return {
    id: record.auditId,
    stream: 'AUDIT',
    subject: auditSubject(record.organizationId),
    payload: JSON.stringify(payload),
    ...(actor.traceparent !== undefined && { traceparent: actor.traceparent }),
  };
}

const noTime = new Date(0);

/**
 * The event of an action for an SQL statement that sets the time itself: the payload ends where the time (ISO 8601) must be inserted, followed by `"}`. Only
 * for actions without a revision.
 */
export function auditEventBeforeTime(act: Omit<AuditAct, 'revision'>, actor: AuditActor): OutboxEvent {
  const event = auditEvent(act, noTime, actor);
  return { ...event, payload: event.payload.slice(0, -`${noTime.toISOString()}"}`.length) };
}
