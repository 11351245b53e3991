import type { KnowledgeDocumentListQuery } from '@parley/contract';
import { notFound } from '@parley/errors';
import { isId, type Queryable } from '@parley/runtime';
import { pageDocument, pagePosition } from '@parley/service';
import { findBase, ownerOfBase } from '../bases';
import type { Dependencies, RecordAnswer } from '../dependencies';
import { findDocumentOwner } from './due-documents.cross-tenant.sql';
import { documentView, findDocument, pageOfDocuments } from './documents.sql';

/** GET /v1/knowledge-documents/{document_id}. @throws NotFoundError if it does not exist or belongs to another organization */
export async function getDocument(
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  documentId: string,
): Promise<RecordAnswer> {
  const row = await findDocument(db, await ownerOfDocument(db, organizationId, documentId), documentId);
  if (row === undefined) throw notFound('document');
  return { body: documentView(row) };
}

/** GET /v1/knowledge-bases/{knowledge_base_id}/documents: the response as JSON text, newest first. */
export async function listDocuments(
  { db }: Pick<Dependencies, 'db'>,
  organizationId: string,
  knowledgeBaseId: string,
  query: KnowledgeDocumentListQuery,
): Promise<string> {
  const owner = await ownerOfBase(db, organizationId, knowledgeBaseId);
  if ((await findBase(db, owner, knowledgeBaseId)) === undefined) throw notFound('knowledge base');
  const { limit, after } = pagePosition(query, ['time', 'text']);
  const [createdAt = '', documentId = ''] = after ?? [];
  const rows = await pageOfDocuments(db, owner, knowledgeBaseId, {
    limit,
    after: after === undefined ? undefined : { createdAt, documentId },
  });
  return pageDocument(rows, limit, documentView, (row) => [row.created_at.toISOString(), row.document_id]);
}

/** Returns the organization in which to look a document up: that of the request, or the document's owner for an operator who names none. */
export async function ownerOfDocument(db: Queryable, organizationId: string, documentId: string): Promise<string> {
  if (!isId('doc', documentId)) throw notFound('document');
  const owner = organizationId === '' ? await findDocumentOwner(db, documentId) : organizationId;
  if (owner === undefined) throw notFound('document');
  return owner;
}
