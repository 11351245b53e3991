import { randomBytes } from 'node:crypto';
import { limits, type SecretRotation } from '@parley/contract';
import { conflict, forbidden } from '@parley/errors';
import { append } from '@parley/outbox';
import { type AuditActor, auditEvent, sealedColumn, type SealedSource } from '@parley/service';
import type { Database } from '@parley/runtime';
import type { Dependencies } from './dependencies';
import { rotateSecret as replaceSecret } from './endpoint-secrets.sql';
import type { Endpoint } from './endpoint.rules';
import { endpointForDeletion } from './read-endpoints';
import { mostLiveSecrets, secretBytes, secretOf, signingPurpose } from './signing-secret.rules';

export interface RotateSecret {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly body: () => SecretRotation;
  readonly actor: AuditActor;
}

/**
 * POST /v1/agent-endpoints/{agent_endpoint_id}/rotate-secret: creates a new secret, which only this response contains. Previous secrets also sign until the
 * overlap ends, or until they expire, if that is earlier. @throws NotFoundError; BadRequestError; ConflictError if too many secrets would be active at the same
 * time
 */
export async function rotateSecret(
  { db, vault, clock, onAudit }: Dependencies,
  { organizationId, endpointId, body, actor }: RotateSecret,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const secret = secretOf(randomBytes(secretBytes));
  const endpoint = await db.transaction(async (tx) => {
    const stored = await endpointForDeletion(tx, organizationId, endpointId);
    const owner = stored.organizationId;
    const { overlap_hours: hours = limits.secretOverlapHours.default, project_id } = body();
    if ((project_id ?? stored.projectId) !== stored.projectId) throw forbidden();
    const sealed = vault.seal(secret, { organizationId: owner, purpose: signingPurpose, recordId: stored.id });
    const live = await replaceSecret(tx, owner, stored.id, sealed, hours);
    if (live > mostLiveSecrets)
      throw conflict(`at most ${mostLiveSecrets} secrets can be active at once; shorten the overlap`);
    const detail = { overlap_hours: hours };
    const act = { organizationId: owner, action: 'agent_endpoint.secret_rotated', subject: stored.id, detail };
    await append(tx, [auditEvent(act, clock.now(), actor)]);
    return stored;
  });
  onAudit();
  return { endpoint, secret };
}

/** The encrypted values to re-encrypt under a new key: all signing secrets of endpoints, including previous ones that still sign. */
export const sealedSecrets = (db: Database): SealedSource =>
  sealedColumn(db, {
    table: 'endpoint_secrets',
    key: ['endpoint_id', 'id'],
    column: 'sealed',
    purpose: signingPurpose,
  });
