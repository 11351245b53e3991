import type { Agent } from '@parley/contract';
import { conflict, forbidden } from '@parley/errors';
import {
  IdempotencyConflict,
  auditEventBeforeTime,
  findStoredResponse,
  findStoredResponseAfter,
  type CreatingRequest,
  type StoredResponse,
} from '@parley/service';
import { newId, type OutgoingContext } from '@parley/runtime';
import { createDocument } from './create-document.rules';
import { etagOf } from '../etag.rules';
import { render, viewCreatedAt, viewWithSecrets } from './rendered.rules';
import { insertAgents, type NewAgent } from './insert-agents.sql';
import { neverPublished, type StoredAgent } from './stored-agent.rules';
import { checkAddresses } from './check-addresses';
import { checkContentScope } from './check-content-scope';
import { checkSentTools } from './check-tools';
import { configurationFor } from './configuration-for';
import type { AgentAnswer, Dependencies } from './dependencies';
import { sealToolHeaders } from './seal-tool-headers';
import { sealToolSecrets } from './seal-tool-secrets';
import { usedConnections } from './tools.rules';

export interface CreateAgent {
  /** Empty if an operator named none: the body's organization is used. */
  readonly organizationId: string;
  /** Returns the validated body. Called only if no earlier response exists. */
  readonly body: () => Agent;
  /** The Idempotency-Key of the request, within an organization. */
  readonly creating: (organizationId: string) => CreatingRequest;
}

const FIRST_REVISION = 1;

/**
 * POST /v1/agents (docs/reference/agents.md). Publishes nothing: the configuration is compiled only for the projection. If an earlier response exists for the
 * Idempotency-Key, it is returned whatever the other rules are. Most keys are new, so the look-up runs only if the insertion conflicts or a rule fails.
 */
export async function createAgent(
  dependencies: Dependencies,
  request: CreateAgent,
  context: OutgoingContext,
): Promise<AgentAnswer> {
  const { db } = dependencies;
  const organizationId = request.organizationId === '' ? request.body().organization_id : request.organizationId;
  const idempotency = request.creating(organizationId);
  let created: AgentAnswer | undefined;
  try {
    created = await create(dependencies, organizationId, request.body, idempotency, context);
  } catch (error) {
    const earlier = await findStoredResponseAfter(db, idempotency, error);
    if (earlier === undefined) throw error;
    return replayOf(earlier);
  }
  return created ?? replayOf(await findStoredResponse(db, idempotency));
}

/** @returns undefined if a response is already stored for the key; nothing was written */
async function create(
  dependencies: Dependencies,
  organizationId: string,
  bodyOf: CreateAgent['body'],
  idempotency: CreatingRequest,
  context: OutgoingContext,
): Promise<AgentAnswer | undefined> {
  const { voiceStack, credentials, vault, policy, onCommit } = dependencies;
  const body = bodyOf();
  if (body.organization_id !== organizationId) throw forbidden();
  const agentId = newId('agt');
  checkAddresses(policy, body);
  await checkSentTools(dependencies, { organizationId, projectId: body.project_id }, body.tools, []);
  const asked = createDocument(body, await voiceStack.languageAxis(context));
  const changes = { before: { ...asked, mode: 'hosted' as const }, after: asked };
  await checkContentScope({ credentials }, organizationId, changes, context);
  const document = { ...asked, tools: sealToolHeaders(vault, { organizationId, agentId }, asked.tools, []) };
  const configuration = await configurationFor({ credentials }, organizationId, document, context);
  const compiled = await voiceStack.draft(configuration, context);
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
  const act = { organizationId, action: 'agent.created', subject: agentId, detail: { project_id: body.project_id } };
  const now = await insert(dependencies, {
    agent: timeless,
    rendered,
    act: auditEventBeforeTime(act, context),
    creating: idempotency,
  });
  if (now === undefined) return undefined;
  onCommit();
  const agent = { ...timeless, createdAt: now, updatedAt: now };
  const view = viewCreatedAt(rendered, now);
  return { body: viewWithSecrets(agent, { ...rendered, view }, secrets.made), etag: etagOf(FIRST_REVISION) };
}

/** Agents are inserted together, unless one holds connections in a transaction of its own. @returns see `insertAgents` */
function insert({ db, insertions, connections }: Dependencies, one: NewAgent): Promise<string | undefined> {
  const { organizationId, document } = one.agent;
  if (usedConnections(document.tools).length === 0) return insertions.submit(organizationId, one);
  return db.transaction(async (tx) => {
    if (!(await connections.hold(tx, one.agent, document.tools)))
      throw conflict('a connection of the tools was deleted by another request');
    return (await insertAgents(tx, organizationId, [one]))[0];
  });
}

/** Responses are stored as long as their agent exists, and at least a day. @throws IdempotencyConflict if the response was deleted in the meantime */
function replayOf(earlier: StoredResponse | undefined): AgentAnswer {
  if (earlier === undefined) throw new IdempotencyConflict();
  return { body: earlier.body, etag: etagOf(FIRST_REVISION), replayed: true };
}
