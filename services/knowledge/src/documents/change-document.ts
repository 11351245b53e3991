import { documentMediaTypes, limits } from '@parley/contract';
import { AppError, badRequest, conflict, internal, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import type { Queryable } from '@parley/runtime';
import { auditEvent, type AuditActor } from '@parley/service';
import type { Dependencies, RecordAnswer } from '../dependencies';
import { countParts, dropParts, putPart, removeContent, type Parts } from './contents.sql';
import { documentView, removeDocument, startProcessing, type DocumentRow } from './documents.sql';
import { ownerOfDocument } from './read-documents';

export interface ChangeDocument {
  readonly organizationId: string;
  readonly documentId: string;
  readonly actor: AuditActor;
}

export interface PutContent extends ChangeDocument {
  readonly uploadId: string;
  readonly mediaType: string;
  /** How many parts were sent. */
  readonly parts: number;
}

type Needs = Pick<Dependencies, 'db' | 'onCommit' | 'due'>;

/** Stores a part of a content that is being sent to PUT /v1/knowledge-documents/{document_id}/content. */
export async function putDocumentPart(
  { db }: Pick<Dependencies, 'db'>,
  { organizationId: named, documentId, uploadId }: Parts,
  part: number,
  content: Buffer,
): Promise<void> {
  const organizationId = await ownerOfDocument(db, named, documentId);
  if (content.length > limits.documentPartBytes || part >= limits.documentBytes / limits.documentPartBytes)
    throw new AppError('PayloadTooLargeError', `the content is larger than ${limits.documentBytes} bytes`);
  if (!(await putPart(db, { organizationId, documentId, uploadId }, part, content))) throw notFound('document');
}

/** Deletes the parts of a content whose rest does not arrive. */
export async function dropDocumentParts({ db }: Pick<Dependencies, 'db'>, parts: Parts): Promise<void> {
  await dropParts(db, { ...parts, organizationId: await ownerOfDocument(db, parts.organizationId, parts.documentId) });
}

/** PUT /v1/knowledge-documents/{document_id}/content, once all parts are stored. The previous content can be searched until the new one has been processed. */
export async function putDocumentContent(needs: Needs, request: PutContent): Promise<RecordAnswer> {
  const mediaType = documentMediaTypes.find((type) => type === request.mediaType);
  if (mediaType === undefined) throw internal(new Error(`the gateway accepted ${request.mediaType}`));
  const { uploadId, parts } = request;
  return change(needs, request, 'knowledge_document.content_set', async (tx, organizationId, documentId) => {
    await removeContent(tx, organizationId, documentId);
    const row = await startProcessing(tx, organizationId, documentId, { mediaType, uploadId });
    if (row === undefined) return undefined;
    if (parts === 0) throw badRequest('the content has no bytes');
    if ((await countParts(tx, { organizationId, documentId, uploadId })) !== parts)
      throw conflict('parts of the content are missing; send it again');
    return row;
  });
}

/** DELETE /v1/knowledge-documents/{document_id}: returns the deleted document. */
export function deleteDocument(needs: Needs, request: ChangeDocument): Promise<RecordAnswer> {
  return change(needs, request, 'knowledge_document.deleted', removeDocument);
}

async function change(
  { db, onCommit, due }: Needs,
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
