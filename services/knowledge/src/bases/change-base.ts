import type { KnowledgeBaseUpdate } from '@parley/contract';
import { conflict, forbidden, invalidField, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import type { OutgoingContext } from '@parley/runtime';
import { auditEvent, requireMatch, type AuditActor } from '@parley/service';
import type { Dependencies, RecordAnswer } from '../dependencies';
import { checkSettings, dropEmbeddingJob, makesSameVectors, restartEmbeddings } from '../embeddings';
import { etagOf } from '../etag.rules';
import {
  baseView,
  changeBase,
  embeddingsOf,
  findBase,
  forgetVectors,
  lockBase,
  removeBase,
  type BaseRow,
} from './bases.sql';
import { ownerOfBase } from './read-bases';

export interface ChangeBase {
  readonly organizationId: string;
  readonly knowledgeBaseId: string;
  readonly ifMatch: string;
  readonly actor: AuditActor;
}

type Parts = Pick<Dependencies, 'db' | 'onCommit' | 'due'>;

/** PATCH /v1/knowledge-bases/{knowledge_base_id}. New embeddings are tried before the transaction, because their server may take seconds. */
export async function updateBase(
  { db, embedder, onCommit, due }: Parts & Pick<Dependencies, 'embedder'>,
  request: ChangeBase & { readonly body: () => KnowledgeBaseUpdate },
): Promise<RecordAnswer> {
  const { knowledgeBaseId, ifMatch, actor } = request;
  const organizationId = await ownerOfBase(db, request.organizationId, knowledgeBaseId);
  const before = await findBase(db, organizationId, knowledgeBaseId);
  if (before === undefined) throw notFound('knowledge base');
  const body = request.body();
  const { embeddings: sent } = body;
  check(before, body, ifMatch);
  const isSame = (row: BaseRow): boolean => {
    const stored = embeddingsOf(row);
    return (
      sent === undefined ||
      (sent === null ? stored === undefined : stored !== undefined && makesSameVectors(stored, sent))
    );
  };
  const tried = sent && !isSame(before) ? await checkSettings({ db, embedder }, organizationId, sent) : undefined;
  const answer = await db.transaction(async (tx) => {
    const row = await lockBase(tx, organizationId, knowledgeBaseId);
    if (row === undefined) throw notFound('knowledge base');
    check(row, body, ifMatch);
    const stored = embeddingsOf(row);
    const newSet = !isSame(row);
    if (newSet && sent && tried === undefined)
      throw conflict('the embeddings of the knowledge base were changed by another request');
    const minSimilarity = sent ? (sent.min_similarity ?? 0) : (stored?.minSimilarity ?? 0);
    const embeddings = newSet ? tried : stored && { ...stored, minSimilarity };
    const { name = row.name } = body;
    if (name === row.name && !newSet && embeddings?.minSimilarity === stored?.minSimilarity)
      return { body: baseView(row), etag: etagOf(row.revision) };
    const changed = await changeBase(tx, organizationId, knowledgeBaseId, { name, embeddings, newSet });
    if (newSet) {
      await forgetVectors(tx, organizationId, knowledgeBaseId);
      await restartEmbeddings(tx, organizationId, knowledgeBaseId);
    }
    const detail = { name, ...(sent !== undefined && { embeddings: embeddings?.model ?? null }) };
    const act = { organizationId, action: 'knowledge_base.updated', subject: knowledgeBaseId, detail };
    await append(tx, [auditEvent(act, changed.updated_at, actor)]);
    return { body: baseView(changed), etag: etagOf(changed.revision) };
  });
  onCommit();
  due();
  return answer;
}

function check(row: BaseRow, body: KnowledgeBaseUpdate, ifMatch: string): void {
  if ((body.organization_id ?? row.organization_id) !== row.organization_id) throw forbidden();
  if ((body.project_id ?? row.project_id) !== row.project_id)
    throw forbidden('project_id is not the project of the knowledge base');
  requireMatch(ifMatch, etagOf(row.revision));
  if ((body.language ?? row.language) !== row.language)
    throw invalidField('language', 'not_allowed', 'cannot be changed: documents were processed with it');
}

/**
 * DELETE /v1/knowledge-bases/{knowledge_base_id}: returns the deleted knowledge base. The agents service is asked while the base is locked, so that an
 * assignment either is found there or does not find the base.
 * @throws AppError ConflictError while an agent has it
 */
export async function deleteBase(
  { db, onCommit, due, agents }: Parts & Pick<Dependencies, 'agents'>,
  { organizationId: named, knowledgeBaseId, ifMatch, actor }: ChangeBase,
  context: OutgoingContext,
): Promise<RecordAnswer> {
  const organizationId = await ownerOfBase(db, named, knowledgeBaseId);
  const answer = await db.transaction(async (tx) => {
    const row = await lockBase(tx, organizationId, knowledgeBaseId);
    if (row === undefined) throw notFound('knowledge base');
    requireMatch(ifMatch, etagOf(row.revision));
    const { agentId } = await agents.findAgentWithBase({ organizationId, knowledgeBaseId }, context);
    if (agentId !== '') throw conflict(`the agent ${agentId} answers from the knowledge base`);
    await removeBase(tx, organizationId, knowledgeBaseId);
    await dropEmbeddingJob(tx, organizationId, knowledgeBaseId);
    const act = {
      organizationId,
      action: 'knowledge_base.deleted',
      subject: knowledgeBaseId,
      detail: { name: row.name },
    };
    await append(tx, [auditEvent(act, new Date(), actor)]);
    return { body: baseView(row), etag: etagOf(row.revision) };
  });
  onCommit();
  due();
  return answer;
}
