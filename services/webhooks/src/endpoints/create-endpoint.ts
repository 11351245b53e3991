import { randomBytes } from 'node:crypto';
import type { AgentEndpoint } from '@parley/contract';
import { forbidden } from '@parley/errors';
import { newId } from '@parley/runtime';
import { creating, recall, type CreatingRequest } from '@parley/service';
import { checkDestination } from '../network';
import type { Dependencies } from './dependencies';
import type { Endpoint } from './endpoint.rules';
import { insertEndpoint, type NewEndpoint } from './endpoints.sql';
import { secretBytes, secretOf, signingPurpose } from './signature.rules';
import { requireSubscriptionScopes, subscriptionAtCreation } from './subscription.rules';

export interface CreateEndpoint {
  /** Empty: an operator who named none; the body's. */
  readonly organizationId: string;
  /** The parsed body before its fields are checked: what it asks for decides the scopes. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** Checks the fields. BadRequestError. */
  readonly body: () => AgentEndpoint;
  /** The caller's, expanded. */
  readonly scopes: readonly string[];
  /** How the request is remembered, in the space of an organization. */
  readonly creating: (organizationId: string) => CreatingRequest;
}

export interface CreatedEndpoint {
  readonly endpoint: Endpoint;
  /** `whsec_...`; undefined when an Idempotency-Key brought an earlier answer back. */
  readonly secret?: string;
}

/**
 * POST /v1/agent-endpoints (2.9, section 6 rules 1 and 3). The signing secret is answered once and stored sealed.
 * Errors: ForbiddenError without the scope of a subscription or for a foreign organization; BadRequestError naming the field; ConflictError for an
 * Idempotency-Key of another request.
 */
export async function createEndpoint(
  { db, vault, policy }: Dependencies,
  { organizationId: named, asked, body, scopes, creating: requestIn }: CreateEndpoint,
): Promise<CreatedEndpoint> {
  const organizationId = named === '' ? body().organization_id : named;
  const request = requestIn(organizationId);
  const earlier = await recall(db, request);
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
  };
  const secret = secretOf(randomBytes(secretBytes));
  const sealed = vault.seal(secret, { organizationId, purpose: signingPurpose, recordId: endpoint.id });
  const outcome = await creating(
    db,
    request,
    async (tx) => {
      const value = await insertEndpoint(tx, organizationId, endpoint, sealed);
      return { value, status: 201, body: JSON.stringify(value), recordId: value.id };
    },
    { recalled: true },
  );
  if (outcome.remembered !== undefined) return { endpoint: JSON.parse(outcome.remembered.body) as Endpoint };
  return { endpoint: outcome.value, secret };
}
