import { auditSubject } from '@parley/contract';
import type { OutboxEvent } from '@parley/outbox';
import { newId } from '@parley/runtime';

export interface Act {
  readonly organizationId: string;
  /** Empty: nobody's doing but ours. */
  readonly actorKeyId: string;
  /** Such as agent_endpoint.parked. */
  readonly action: string;
  /** The id that was acted upon. */
  readonly subject: string;
  /** Never a secret. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

/** An act as auth's audit log takes it in, to be appended in the transaction of what it tells. */
export function auditAct({ organizationId, actorKeyId, action, subject, detail, at }: Act): OutboxEvent {
  const payload = {
    organization_id: organizationId,
    actor_key_id: actorKeyId,
    action,
    subject,
    detail,
    created_at: at.toISOString(),
  };
  return {
    id: newId('aud'),
    stream: 'AUDIT',
    subject: auditSubject(organizationId),
    payload: JSON.stringify(payload),
  };
}
