import type { KnowledgeBaseUpdate } from '@parley/contract';
import { forbidden, invalidField, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { auditEvent, requireMatch, type AuditActor } from '@parley/service';
import type { Dependencies, RecordAnswer } from '../dependencies';
import { etagOf } from '../etag.rules';
import { baseView, lockBase, removeBase, renameBase } from './bases.sql';
import { ownerOfBase } from './read-bases';

export interface ChangeBase {
  readonly organizationId: string;
  readonly knowledgeBaseId: string;
  readonly ifMatch: string;
  readonly actor: AuditActor;
}

type Parts = Pick<Dependencies, 'db' | 'onCommit'>;

/** PATCH /v1/knowledge-bases/{knowledge_base_id}. */
export async function updateBase(
  { db, onCommit }: Parts,
  request: ChangeBase & { readonly body: () => KnowledgeBaseUpdate },
): Promise<RecordAnswer> {
  const { knowledgeBaseId, ifMatch, actor } = request;
  const organizationId = await ownerOfBase(db, request.organizationId, knowledgeBaseId);
  const answer = await db.transaction(async (tx) => {
    const row = await lockBase(tx, organizationId, knowledgeBaseId);
    if (row === undefined) throw notFound('knowledge base');
    const body = request.body();
    if ((body.organization_id ?? organizationId) !== organizationId) throw forbidden();
    if ((body.project_id ?? row.project_id) !== row.project_id)
      throw forbidden('project_id is not the project of the knowledge base');
    requireMatch(ifMatch, etagOf(row.revision));
    if ((body.language ?? row.language) !== row.language)
      throw invalidField('language', 'not_allowed', 'cannot be changed: documents are cut into words by it');
    const { name = row.name } = body;
    if (name === row.name) return { body: baseView(row), etag: etagOf(row.revision) };
    const renamed = await renameBase(tx, organizationId, knowledgeBaseId, name);
    const act = { organizationId, action: 'knowledge_base.updated', subject: knowledgeBaseId, detail: { name } };
    await append(tx, [auditEvent(act, renamed.updated_at, actor)]);
    return { body: baseView(renamed), etag: etagOf(renamed.revision) };
  });
  onCommit();
  return answer;
}

/** DELETE /v1/knowledge-bases/{knowledge_base_id}: returns the deleted knowledge base. Agents that use it keep working, but find nothing in it. */
export async function deleteBase(
  { db, onCommit, due }: Parts & Pick<Dependencies, 'due'>,
  { organizationId: named, knowledgeBaseId, ifMatch, actor }: ChangeBase,
): Promise<RecordAnswer> {
  const organizationId = await ownerOfBase(db, named, knowledgeBaseId);
  const answer = await db.transaction(async (tx) => {
    const row = await lockBase(tx, organizationId, knowledgeBaseId);
    if (row === undefined) throw notFound('knowledge base');
    requireMatch(ifMatch, etagOf(row.revision));
    await removeBase(tx, organizationId, knowledgeBaseId);
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
