import type { KnowledgeBaseListQuery } from '@parley/contract';
import { notFound } from '@parley/errors';
import { isId, type Queryable } from '@parley/runtime';
import { pageDocument, pagePosition } from '@parley/service';
import type { Dependencies, RecordAnswer } from '../dependencies';
import { etagOf } from '../etag.rules';
import { findBaseOwner } from './base-owner.cross-tenant.sql';
import { baseView, findBase, pageOfBases } from './bases.sql';

/** GET /v1/knowledge-bases/{knowledge_base_id}. @throws NotFoundError if it does not exist or belongs to another organization */
export async function getBase(
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  knowledgeBaseId: string,
): Promise<RecordAnswer> {
  const row = await findBase(db, await ownerOfBase(db, organizationId, knowledgeBaseId), knowledgeBaseId);
  if (row === undefined) throw notFound('knowledge base');
  return { body: baseView(row), etag: etagOf(row.revision) };
}

/** GET /v1/knowledge-bases: the response as JSON text, newest first. */
export async function listBases(
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  query: KnowledgeBaseListQuery,
): Promise<string> {
  const { limit, after } = pagePosition(query, ['time', 'text']);
  const [createdAt = '', knowledgeBaseId = ''] = after ?? [];
  const rows = await pageOfBases(db, organizationId, {
    limit,
    projectId: query.project_id,
    after: after === undefined ? undefined : { createdAt, knowledgeBaseId },
  });
  return pageDocument(rows, limit, baseView, (row) => [row.created_at.toISOString(), row.knowledge_base_id]);
}

/** Returns the organization in which to look a knowledge base up: that of the request, or the knowledge base's owner for an operator who names none. */
export async function ownerOfBase(db: Queryable, organizationId: string, knowledgeBaseId: string): Promise<string> {
  if (!isId('kb', knowledgeBaseId)) throw notFound('knowledge base');
  const owner = organizationId === '' ? await findBaseOwner(db, knowledgeBaseId) : organizationId;
  if (owner === undefined) throw notFound('knowledge base');
  return owner;
}
