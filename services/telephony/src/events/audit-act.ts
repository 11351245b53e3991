import { auditSubject } from '@parley/contract';
import { append, type OutboxEvent } from '@parley/outbox';
import { newId, type OutgoingContext, type Queryable } from '@parley/runtime';

export interface AuditAct {
  readonly organizationId: string;
  /** Such as wallet.topped_up. */
  readonly action: string;
  /** The id that was acted upon. */
  readonly subject: string;
  /** Never a secret. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Tells auth's audit log of an act, in the transaction of the act. */
export async function auditAct(tx: Queryable, act: AuditAct, at: Date, context: OutgoingContext): Promise<void> {
  const event: OutboxEvent = {
    id: newId('aud'),
    stream: 'AUDIT',
    subject: auditSubject(act.organizationId),
    payload: JSON.stringify({
      organization_id: act.organizationId,
      actor_key_id: context.caller?.keyId ?? '',
      action: act.action,
      subject: act.subject,
      detail: act.detail,
      created_at: at.toISOString(),
    }),
    ...(context.traceparent !== undefined && { traceparent: context.traceparent }),
  };
  await append(tx, [event]);
}
