import type { AgentEndpointUpdate } from '@parley/contract';
import { forbidden } from '@parley/errors';
import { newId, type Queryable } from '@parley/runtime';
import { append } from '@parley/outbox';
import { auditEvent, checkDestination, requireMatch, type AuditActor } from '@parley/service';
import type { Dependencies } from './dependencies';
import { applyChange, etagOf, hostOf, type ChangedEndpoint, type Endpoint } from './endpoint.rules';
import { saveEndpoint } from './endpoints.sql';
import { endpointForWrite } from './read-endpoints';
import { insertRecovery } from './recoveries.sql';
import { payloadScopesOf, requireDestinationScopes, requireSubscriptionScopes } from './subscription.rules';
import { cancelWaiting, restartQueue, resumeParked, wakeQueue } from './waiting-deliveries.sql';

export interface UpdateEndpoint {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly asked: Readonly<Record<string, unknown>>;
  readonly body: () => AgentEndpointUpdate;
  readonly scopes: readonly string[];
  readonly actor: AuditActor;
  /** The If-Match header; empty: the request is unconditional. */
  readonly ifMatch: string;
}

/**
 * PATCH /v1/agent-endpoints/{agent_endpoint_id} (docs/reference/endpoints-and-events.md). The endpoint is locked, so that changes to it are serialized. Queued
 * deliveries are sent to the new destination; those of unsubscribed event types are canceled. @throws ForbiddenError for a missing scope or another
 * organization's endpoint; NotFoundError; BadRequestError naming the field; ConflictError for a stale If-Match
 */
export async function updateEndpoint(dependencies: Dependencies, request: UpdateEndpoint): Promise<Endpoint> {
  const { db, policy, wake, clock, onAudit } = dependencies;
  requireSubscriptionScopes(request.asked['events'], request.scopes);
  const { endpoint, woken } = await db.transaction(async (tx) => {
    const stored = await endpointForWrite(tx, request.organizationId, request.endpointId);
    const wanted = request.body();
    if (wanted.project_id !== undefined && wanted.project_id !== stored.projectId) throw forbidden();
    const change = applyChange(stored, {
      name: wanted.name,
      webhookUrl: wanted.webhook_url,
      audioStreamUrl: wanted.audio_stream_url,
      events: wanted.events,
      maxPerSecond: wanted.max_deliveries_per_second,
      payloadScopes: payloadScopesOf(request.scopes),
    });
    if (change.destinationChanged) requireDestinationScopes(request.scopes);
    if (change.endpoint.webhookUrl !== stored.webhookUrl)
      checkDestination(change.endpoint.webhookUrl, 'webhook_url', policy);
    if (change.endpoint.audioStreamUrl !== stored.audioStreamUrl) {
      checkDestination(change.endpoint.audioStreamUrl, 'audio_stream_url', policy);
    }
    requireMatch(request.ifMatch, etagOf(stored));
    if (!change.changed) return { endpoint: stored, woken: false };
    const saved = await saveEndpoint(tx, stored.organizationId, change.endpoint);
    const hosts = { webhook_host: hostOf(saved.webhookUrl), audio_stream_host: hostOf(saved.audioStreamUrl) };
    const detail = { fields: change.fields, ...(change.destinationChanged ? hosts : {}) };
    const act = { organizationId: saved.organizationId, action: 'agent_endpoint.updated', subject: saved.id, detail };
    await append(tx, [auditEvent(act, clock.now(), request.actor)]);
    return { endpoint: saved, woken: await changeQueue(tx, stored, change) };
  });
  onAudit();
  if (woken) wake([endpoint.id]);
  return endpoint;
}

/** Applies the change to queued deliveries. Returns whether the queue should be polled now. */
async function changeQueue(tx: Queryable, stored: Endpoint, change: ChangedEndpoint): Promise<boolean> {
  const { organizationId, id } = stored;
  if (change.unsubscribed.length > 0) await cancelWaiting(tx, organizationId, id, change.unsubscribed);
  if (change.endpoint.webhookUrl !== stored.webhookUrl) {
    if (stored.status === 'parked') await resume(tx, stored);
    await restartQueue(tx, organizationId, id);
    return true;
  }
  if (stored.status === 'parked' && change.endpoint.status === 'active') await resume(tx, stored);
  if (change.unsubscribed.length > 0) await wakeQueue(tx, organizationId, id);
  return change.unsubscribed.length > 0;
}

/** Requeues parked deliveries for the new destination. If there are too many for one statement, a background recovery requeues the rest. */
async function resume(tx: Queryable, { organizationId, id, generation }: Endpoint): Promise<void> {
  if (await resumeParked(tx, organizationId, id)) return;
  await insertRecovery(tx, organizationId, {
    id: newId('rec'),
    endpointId: id,
    since: new Date(0).toISOString(),
    generation,
    withFailed: false,
  });
}
