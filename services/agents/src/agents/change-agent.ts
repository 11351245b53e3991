import type { Blocker } from '@parley/contract';
import { badRequest, conflict, forbidden, notFound } from '@parley/errors';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import { append, type OutboxEvent } from '@parley/outbox';
import { auditEvent, requireMatch } from '@parley/service';
import type { Vault } from '@parley/vault';
import { setTimeout as pause } from 'node:timers/promises';
import { findForChange, findWorkflowsOf } from './read-agent.sql';
import { commitChange } from './write-agent.sql';
import type { AgentDocument } from './agent-document.rules';
import { same } from '../same.rules';
import { changedAgent, isChanged, type Change } from './changed-agent.rules';
import { etagOf } from '../etag.rules';
import { changesCompilation, publishes } from './publication-decision.rules';
import { findNewStops, refusingBlockers } from './find-new-stops';
import { render, type Rendered } from './rendered.rules';
import type { Compiled, StoredAgent } from './stored-agent.rules';
import { checkContentScope } from './check-content-scope';
import { configurationFor } from './configuration-for';
import type { Dependencies } from './dependencies';
import { missingOnWrite, findWorkspaceId } from './find-workspace';
import { sealToolHeaders } from './seal-tool-headers';
import { sealToolSecrets } from './seal-tool-secrets';
import { refuseUsedTools, removedTools } from './workflow-tools.rules';

export interface ChangeAgent<Body extends Workspace> {
  readonly organizationId: string;
  readonly agentId: string;
  /** The If-Match header. Empty: the write is unconditional, and after a conflict the change is merged into the newer version. */
  readonly ifMatch: string;
  /** Set if the route declares `write-403` for another organization's agent. Default: 404, which is also the default of declarations. */
  readonly foreign?: 403;
  /** The action that the route declares for the audit log. Absent: the use case writes its own audit entry. */
  readonly action?: string;
  /** Returns the validated body. Called after the agent was found, because an unknown id is reported before invalid fields. */
  readonly body: () => Body;
}

/**
 * The workspace in the body of a write by id. It is ignored if it is the agent's; any other is a 403, because an agent cannot be moved to another workspace.
 */
export interface Workspace {
  readonly organization_id?: string;
  readonly project_id?: string;
}

export interface ChangedAgent {
  readonly agent: StoredAgent;
  readonly rendered: Rendered;
  /** Secrets of webhook tools that this change created, by tool name. Only the response of this change contains them. */
  readonly madeSecrets: ReadonlyMap<string, string>;
}

/** Writes further data in the transaction of a change. */
export type Alongside = (tx: Queryable, after: StoredAgent) => Promise<void>;

/** The compiler accepts undeclared properties in the result of an arrow function; this makes each of them an error. */
type Declared<Result extends Change> = Result &
  Undeclared<Result, Change> & { readonly document: Undeclared<Result['document'], AgentDocument> };
type Undeclared<Result, Shape> = { readonly [Name in Exclude<keyof Result, keyof Shape>]: never };

/** How often a save that conflicts with others is merged into the newer version before it is 409 (docs/reference/requests.md): each time another one has won. */
const REMERGES = 20;
const longestPauseMs = 200;

/**
 * The only way to change an agent: read it, merge the change, compile if the stack changed, then write document, views, pointer and version on the condition
 * that the revision is still the one that was read. This write is the only commit point, so a refusal or a crash before it leaves the agent unchanged.
 */
export async function changeAgent<Body extends Workspace, Result extends Change>(
  dependencies: Dependencies,
  request: ChangeAgent<Body>,
  change: (agent: StoredAgent, body: Body) => Declared<Result> | Promise<Declared<Result>>,
  context: OutgoingContext,
  alongside?: Alongside,
): Promise<ChangedAgent> {
  let body: Body | undefined;
  for (let lost = 0; ; lost += 1) {
    const { agent, now } = await loadForWrite(dependencies, request);
    body ??= request.body();
    checkWorkspace(agent, body);
    const wanted = withSealedHeaders(dependencies.vault, agent, await change(agent, body));
    const documents = { before: agent.document, after: wanted.document };
    await checkContentScope(dependencies, agent.organizationId, documents, context);
    requireMatch(request.ifMatch, etagOf(agent.revision));
    if (!isChanged(agent, wanted) && !publishes(saveOf(agent, wanted)))
      return { agent, rendered: render(agent), madeSecrets: new Map() };
    const { compiled, publishedSha256 } = await compiledFor(dependencies, agent, wanted, context);
    const secrets = sealToolSecrets(dependencies.vault, agent, wanted.document.tools, agent.toolSecrets);
    const after = {
      ...changedAgent(agent, { change: wanted, compiled, publishedSha256, now }),
      toolSecrets: secrets.sealed,
    };
    const rendered = render(after);
    const act = actOf(request.action, agent, after, context);
    if (await commit(dependencies, { before: agent, after, rendered, act }, alongside)) {
      if (act !== undefined) dependencies.onCommit();
      return { agent: after, rendered, madeSecrets: secrets.made };
    }
    if (request.ifMatch !== '' || lost === REMERGES)
      throw conflict('the agent was changed by another request: read it again');
    // A random delay, so that writers that conflicted do not conflict again.
    await pause(Math.random() * Math.min(10 * 3 ** lost, longestPauseMs));
  }
}

function withSealedHeaders(vault: Vault, agent: StoredAgent, change: Change): Change {
  const { tools: stored } = agent.document;
  const tools = sealToolHeaders(vault, agent, change.document.tools, stored);
  return { ...change, document: { ...change.document, tools } };
}

interface Committed {
  readonly before: StoredAgent;
  readonly after: StoredAgent;
  readonly rendered: Rendered;
  readonly act: OutboxEvent | undefined;
}

/** The audit entry contains the names of the changed fields, never their values, which may be secret. */
function actOf(
  action: string | undefined,
  before: StoredAgent,
  after: StoredAgent,
  context: OutgoingContext,
): OutboxEvent | undefined {
  if (action === undefined) return undefined;
  const { organizationId, agentId } = after;
  const detail = {
    fields: changedFields(before, after),
    ...(after.published.version === before.published.version ? {} : { published_version: after.published.version }),
  };
  return auditEvent({ organizationId, action, subject: agentId, detail }, new Date(after.updatedAt), context);
}

function changedFields(before: StoredAgent, after: StoredAgent): string[] {
  const names = new Set([...Object.keys(before.document), ...Object.keys(after.document)]) as Set<keyof AgentDocument>;
  const fields: string[] = [...names].filter((name) => !same(before.document[name], after.document[name]));
  return (before.status === after.status ? fields : [...fields, 'status']).sort();
}

/** @returns false if another change was faster, or deleted a connection that the tools now use, and nothing was written. A single statement needs no explicit transaction. */
async function commit(
  { db, connections }: Dependencies,
  { before, after, rendered, act }: Committed,
  alongside: Alongside | undefined,
): Promise<boolean> {
  if (alongside === undefined && act === undefined) return commitChange(db, before, after, rendered);
  const added = after.document.tools.filter((tool) => !before.document.tools.some((one) => same(one, tool)));
  return db.transaction(async (tx) => {
    if (!(await connections.hold(tx, after, added))) return false;
    const won = await commitChange(tx, before, after, rendered);
    if (won) await keepUsedTools(tx, before, after);
    if (won) await alongside?.(tx, after);
    if (won && act !== undefined) await append(tx, [act]);
    return won;
  });
}

/**
 * Rejects the removal of tools that a workflow uses. It runs in the transaction of the removal: a workflow that is published concurrently either waits for the
 * agent's row or is visible here.
 */
async function keepUsedTools(tx: Queryable, before: StoredAgent, after: StoredAgent): Promise<void> {
  const removed = removedTools(before.document.tools, after.document.tools);
  if (removed.length === 0) return;
  refuseUsedTools(removed, await findWorkflowsOf(tx, after.organizationId, after.agentId));
}

/** Returns the agent for a write, with the database's clock. @throws AppError 404; for another organization's agent 403 if the request is configured so */
export async function loadForWrite(
  { db }: Dependencies,
  { organizationId, agentId, foreign }: Pick<ChangeAgent<Workspace>, 'organizationId' | 'agentId' | 'foreign'>,
): Promise<{ agent: StoredAgent; now: string }> {
  const found = await findForChange(db, await findWorkspaceId(db, organizationId, agentId), agentId);
  if (found === undefined) throw foreign === 403 ? await missingOnWrite(db, agentId) : notFound('agent');
  return found;
}

/** @throws AppError 403 if the body names a workspace other than the agent's */
export function checkWorkspace(
  { organizationId, projectId }: Pick<StoredAgent, 'organizationId' | 'projectId'>,
  body: Workspace,
): void {
  if ((body.organization_id ?? organizationId) !== organizationId) throw forbidden();
  if ((body.project_id ?? projectId) !== projectId) throw forbidden('project_id is not the project of the agent');
}

const saveOf = (agent: StoredAgent, change: Change) => ({
  before: agent.document,
  after: change.document,
  publishedVersion: agent.published.version,
  carriesLanguages: change.carriesLanguages,
  savesVoiceStack: change.savesVoiceStack,
  alwaysPublishes: change.alwaysPublishes,
});

/** Compiles only if the compiled configuration changed or is about to be published. @throws BadRequestError with the blockers if compilation fails */
async function compiledFor(
  dependencies: Dependencies,
  agent: StoredAgent,
  change: Change,
  context: OutgoingContext,
): Promise<{ compiled: Compiled; publishedSha256: string | undefined }> {
  const publish = publishes(saveOf(agent, change));
  if (!publish && !changesCompilation(agent.document, change.document))
    return { compiled: agent.compiled, publishedSha256: undefined };
  const configuration = await configurationFor(dependencies, agent.organizationId, change.document, context);
  if (!publish)
    return { compiled: await dependencies.voiceStack.draft(configuration, context), publishedSha256: undefined };
  const stops = await findNewStops(dependencies, agent, change.document, context);
  const answer =
    stops.length > 0
      ? await dependencies.voiceStack.draft(configuration, context)
      : await dependencies.voiceStack.publish(configuration, context);
  const refusing = refusingBlockers(answer.blockers, stops);
  const [first] = refusing;
  if (first !== undefined) {
    dependencies.publicationBlocked(first.code);
    throw blocked(refusing, answer.projection.language);
  }
  return { compiled: answer, publishedSha256: 'sha256' in answer ? answer.sha256 : '' };
}

/** The extra fields of docs/reference/errors.md: the rejected language, the first blocker's code, and all of them. */
function blocked(blockers: readonly Blocker[], primaryLanguage: string): Error {
  const [first] = blockers;
  return badRequest(`the configuration cannot be published: ${blockers.map(({ detail }) => detail).join('; ')}`, {
    language: blockers.map(languageOf).find((language) => language !== undefined) ?? primaryLanguage,
    reason: first?.code,
    blockers: blockers.map(({ code, scope, detail }) => ({ code, scope, detail })),
  });
}

function languageOf({ scope }: Blocker): string | undefined {
  return scope.startsWith('language:') ? scope.slice('language:'.length) : undefined;
}
