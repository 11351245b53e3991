import { randomUUID } from 'node:crypto';
import { limits, type DocumentMediaType, type KnowledgeDocumentCreate } from '@parley/contract';
import { conflict, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { newId } from '@parley/runtime';
import {
  auditEvent,
  checkAddress,
  creating,
  findStoredResponse,
  type AuditActor,
  type CreatingRequest,
} from '@parley/service';
import { lockBase, ownerOfBase } from '../bases';
import type { Dependencies, RecordAnswer } from '../dependencies';
import { putPart } from './contents.sql';
import { countDocuments, documentView, insertDocument, startProcessing } from './documents.sql';

export interface CreateDocument {
  readonly organizationId: string;
  readonly knowledgeBaseId: string;
  readonly actor: AuditActor;
  readonly body: () => KnowledgeDocumentCreate;
  readonly creating: (organizationId: string) => CreatingRequest;
}

const partBytes = limits.documentPartBytes;
const ofText: DocumentMediaType = 'text/markdown';

/** The name is also shown in the audit log, and the query of an address may be its secret. */
const addressWithoutSecrets = (url: string | undefined): string | undefined => url?.split('?', 1)[0];

/** POST /v1/knowledge-bases/{knowledge_base_id}/documents. */
export async function createDocument(
  { db, policy, onCommit, due }: Dependencies,
  request: CreateDocument,
): Promise<RecordAnswer> {
  const { knowledgeBaseId } = request;
  const organizationId = await ownerOfBase(db, request.organizationId, knowledgeBaseId);
  const idempotency = request.creating(organizationId);
  const earlier = await findStoredResponse(db, idempotency);
  if (earlier !== undefined) return { body: earlier.body, replayed: true };
  const { value, stored } = await creating(
    db,
    idempotency,
    async (tx) => {
      const base = await lockBase(tx, organizationId, knowledgeBaseId);
      if (base === undefined) throw notFound('knowledge base');
      const {
        organization_id = organizationId,
        project_id = base.project_id,
        text,
        url,
        name = addressWithoutSecrets(url),
      } = request.body();
      if (organization_id !== organizationId) throw forbidden();
      if (project_id !== base.project_id) throw forbidden('project_id is not the project of the knowledge base');
      if (url !== undefined) checkAddress(url, 'http', 'url', policy);
      if ((await countDocuments(tx, organizationId, knowledgeBaseId)) >= limits.documentsOfBase)
        throw conflict(`the knowledge base already has ${limits.documentsOfBase} documents, the maximum`);
      const document_id = newId('doc');
      let row = await insertDocument(tx, {
        organization_id: organizationId,
        document_id,
        knowledge_base_id: knowledgeBaseId,
        // The body contains a name or a URL.
        name: (name ?? '').slice(0, limits.name.max),
        url: url ?? null,
        status: url === undefined ? 'empty' : 'processing',
      });
      if (text !== undefined) {
        const uploadId = randomUUID();
        const content = Buffer.from(text);
        for (let at = 0; at < content.length; at += partBytes)
          await putPart(
            tx,
            { organizationId, documentId: document_id, uploadId },
            at / partBytes,
            content.subarray(at, at + partBytes),
          );
        row = (await startProcessing(tx, organizationId, document_id, { mediaType: ofText, uploadId })) ?? row;
      }
      const detail = { knowledge_base_id: knowledgeBaseId, name: row.name };
      const act = { organizationId, action: 'knowledge_document.created', subject: document_id, detail };
      await append(tx, [auditEvent(act, row.created_at, request.actor)]);
      const view = documentView(row);
      return { status: 201, body: view, recordId: document_id, value: view };
    },
    { recalled: true },
  );
  if (stored !== undefined) return { body: stored.body, replayed: true };
  onCommit();
  due();
  return { body: value };
}
