import { documentMediaTypes, limits, type DocumentMediaType } from '@parley/contract';
import { AppError, badRequest, internal, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import type { Queryable } from '@parley/runtime';
import { auditEvent, type AuditActor } from '@parley/service';
import type { Dependencies, RecordAnswer } from '../dependencies';
import { documentView, putContent, removeDocument, startProcessing, type DocumentRow } from './documents.sql';
import { ownerOfDocument } from './read-documents';

export interface ChangeDocument {
  readonly organizationId: string;
  readonly documentId: string;
  readonly actor: AuditActor;
}

export interface PutContent extends ChangeDocument {
  readonly mediaType: string;
  readonly content: Buffer;
}

type Parts = Pick<Dependencies, 'db' | 'onCommit' | 'due'>;

/** PUT /v1/knowledge-documents/{document_id}/content. The previous content can be searched until the new one has been processed. */
export async function putDocumentContent(parts: Parts, request: PutContent): Promise<RecordAnswer> {
  const mediaType = documentMediaTypes.find((type) => type === request.mediaType);
  if (mediaType === undefined) throw internal(new Error(`the gateway accepted ${request.mediaType}`));
  const { content } = request;
  return change(parts, request, 'knowledge_document.content_set', async (tx, organizationId, documentId) => {
    const row = await startProcessing(tx, organizationId, documentId, mediaType);
    if (row === undefined) return undefined;
    if (content.length === 0) throw badRequest('the content has no bytes');
    if (content.length > limits.documentBytes)
      throw new AppError('PayloadTooLargeError', `the content is larger than ${limits.documentBytes} bytes`);
    await putContent(tx, organizationId, documentId, { mediaType: mediaType satisfies DocumentMediaType, content });
    return row;
  });
}

/** DELETE /v1/knowledge-documents/{document_id}: returns the deleted document. */
export function deleteDocument(parts: Parts, request: ChangeDocument): Promise<RecordAnswer> {
  return change(parts, request, 'knowledge_document.deleted', removeDocument);
}

async function change(
  { db, onCommit, due }: Parts,
  { organizationId: named, documentId, actor }: ChangeDocument,
  action: string,
  write: (tx: Queryable, organizationId: string, documentId: string) => Promise<DocumentRow | undefined>,
): Promise<RecordAnswer> {
  const organizationId = await ownerOfDocument(db, named, documentId);
  const body = await db.transaction(async (tx) => {
    const row = await write(tx, organizationId, documentId);
    if (row === undefined) throw notFound('document');
    const detail = { knowledge_base_id: row.knowledge_base_id, name: row.name };
    await append(tx, [auditEvent({ organizationId, action, subject: documentId, detail }, new Date(), actor)]);
    return documentView(row);
  });
  onCommit();
  due();
  return { body };
}
