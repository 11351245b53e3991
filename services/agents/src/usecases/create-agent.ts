import type { Agent } from '@parley/contract';
import { forbidden } from '@parley/errors';
import { AlreadyRemembered, recall, type CreatingRequest, type Remembered } from '@parley/service';
import { newId, type OutgoingContext } from '@parley/runtime';
import { insertAgent } from '../db/write-agent';
import { createDocument } from '../domain/create-document';
import { etagOf } from '../domain/etag';
import { render, viewCreatedAt, viewWithSecrets } from '../domain/rendered';
import { neverPublished, type StoredAgent } from '../domain/stored-agent';
import { configurationFor } from './configuration-for';
import type { AgentAnswer, Dependencies } from './dependencies';
import { sealToolSecrets } from './seal-tool-secrets';

export interface CreateAgent {
  /** Empty: an operator who named none; the body's. */
  readonly organizationId: string;
  /** Gives the body, checked against its class; called only when no earlier answer stands. */
  readonly body: () => Agent;
  /** How the request is remembered, in the space of an organization. */
  readonly creating: (organizationId: string) => CreatingRequest;
}

const FIRST_REVISION = 1;

/**
 * POST /v1/agents (section 2.1). Publishes nothing: the configuration is compiled for the read projection alone. A replay of
 * an Idempotency-Key is looked up before every other rule.
 */
export async function createAgent(
  { db, voiceStack, credentials, vault }: Dependencies,
  request: CreateAgent,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const organizationId = request.organizationId === '' ? request.body().organization_id : request.organizationId;
  const idempotency = request.creating(organizationId);
  const earlier = await recall(db, idempotency);
  if (earlier !== undefined) return replayOf(earlier);
  const body = request.body();
  if (body.organization_id !== organizationId) throw forbidden();
  const document = createDocument(body, await voiceStack.languageAxis(context));
  const configuration = await configurationFor({ credentials }, organizationId, document, context);
  const compiled = await voiceStack.draft(configuration, context);
  const agentId = newId('agt');
  const secrets = sealToolSecrets(vault, { organizationId, agentId }, document.tools, {});
  const timeless: StoredAgent = {
    agentId,
    organizationId,
    projectId: body.project_id,
    status: 'active',
    revision: FIRST_REVISION,
    languageProfileRevision: 0,
    document,
    toolSecrets: secrets.sealed,
    compiled,
    published: neverPublished,
    createdAt: '',
    updatedAt: '',
  };
  const rendered = render(timeless);
  const now = await insertAgent(db, timeless, rendered, idempotency);
  if (now === undefined) return replayOf(await recall(db, idempotency));
  const agent = { ...timeless, createdAt: now, updatedAt: now };
  const view = viewCreatedAt(rendered, now);
  return { body: viewWithSecrets(agent, { ...rendered, view }, secrets.made), etag: etagOf(FIRST_REVISION) };
}

/** @throws AlreadyRemembered where the answer was pruned since: it is kept for as long as its agent, and for a day */
function replayOf(earlier: Remembered | undefined): AgentAnswer {
  if (earlier === undefined) throw new AlreadyRemembered();
  return { body: earlier.body, etag: etagOf(FIRST_REVISION), replayed: true };
}
