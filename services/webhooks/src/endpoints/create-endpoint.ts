import { randomBytes } from 'node:crypto';
import type { AgentEndpoint } from '@parley/contract';
import { conflict, forbidden } from '@parley/errors';
import { newId } from '@parley/runtime';
import { append } from '@parley/outbox';
import {
  auditEvent,
  checkDestination,
  creating,
  findStoredResponse,
  type AuditActor,
  type CreatingRequest,
} from '@parley/service';
import type { Dependencies } from './dependencies';
import { hostOf, type Endpoint } from './endpoint.rules';
import { countEndpointsLocked, insertEndpoint, type NewEndpoint } from './endpoints.sql';
import { secretBytes, secretOf, signingPurpose } from './signing-secret.rules';
import { payloadScopesOf, requireSubscriptionScopes, subscriptionAtCreation } from './subscription.rules';

export interface CreateEndpoint {
  /** Empty for an operator that specified no organization: the organization in the body applies. */
  readonly organizationId: string;
  /** The parsed body before validation, because its subscriptions determine the required scopes. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** Validates the fields. @throws BadRequestError */
  readonly body: () => AgentEndpoint;
  /** The caller's scopes, expanded. */
  readonly scopes: readonly string[];
  readonly actor: AuditActor;
  /** The request's idempotency key, in the scope of an organization. */
  readonly creating: (organizationId: string) => CreatingRequest;
}

export interface CreatedEndpoint {
  readonly endpoint: Endpoint;
  /** `whsec_...`; undefined for a replay of an earlier response. */
  readonly secret?: string;
}

/**
 * POST /v1/agent-endpoints (docs/reference/endpoints-and-events.md). The signing secret is stored encrypted, and returned only in this response. @throws
 * ForbiddenError without the scope of a subscription, or for another organization; BadRequestError naming the field; ConflictError for an Idempotency-Key of
 * another request, and if the organization has the maximum of endpoints
 */
export async function createEndpoint(
  { db, vault, policy, maxEndpoints, clock, onAudit }: Dependencies,
  { organizationId: named, asked, body, scopes, actor, creating: requestIn }: CreateEndpoint,
): Promise<CreatedEndpoint> {
  const organizationId = named === '' ? body().organization_id : named;
  const request = requestIn(organizationId);
  const earlier = await findStoredResponse(db, request);
  if (earlier !== undefined) return { endpoint: JSON.parse(earlier.body) as Endpoint };
  requireSubscriptionScopes(asked['events'], scopes);
  const wanted = body();
  if (wanted.organization_id !== organizationId) throw forbidden();
  checkDestination(wanted.webhook_url, 'webhook_url', policy);
  checkDestination(wanted.audio_stream_url, 'audio_stream_url', policy);
  const endpoint: NewEndpoint = {
    id: newId('ep'),
    projectId: wanted.project_id,
    name: wanted.name ?? '',
    webhookUrl: wanted.webhook_url,
    audioStreamUrl: wanted.audio_stream_url,
    events: subscriptionAtCreation(wanted.events),
    maxPerSecond: wanted.max_deliveries_per_second ?? null,
    payloadScopes: payloadScopesOf(scopes),
  };
  const secret = secretOf(randomBytes(secretBytes));
  const sealed = vault.seal(secret, { organizationId, purpose: signingPurpose, recordId: endpoint.id });
  const outcome = await creating(
    db,
    request,
    async (tx) => {
      if ((await countEndpointsLocked(tx, organizationId, maxEndpoints)) >= maxEndpoints)
        throw conflict(`an organization has at most ${maxEndpoints} agent endpoints; delete one first`);
      const value = await insertEndpoint(tx, organizationId, endpoint, sealed);
      const detail = {
        webhook_host: hostOf(value.webhookUrl),
        audio_stream_host: hostOf(value.audioStreamUrl),
        events: value.events,
      };
      const act = { organizationId, action: 'agent_endpoint.created', subject: value.id, detail };
      await append(tx, [auditEvent(act, clock.now(), actor)]);
      return { value, status: 201, body: JSON.stringify(value), recordId: value.id };
    },
    { recalled: true },
  );
  if (outcome.stored !== undefined) return { endpoint: JSON.parse(outcome.stored.body) as Endpoint };
  onAudit();
  return { endpoint: outcome.value, secret };
}
