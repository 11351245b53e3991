import { randomUUID } from 'node:crypto';
import { limits } from '@parley/contract';
import type { Database, Logger, Queryable } from '@parley/runtime';
import type { OutboundClient } from '@parley/service';
import { lockBase } from '../bases';
import { lockClaims, queueEmbeddings } from '../embeddings';
import { ContentFailure } from './content-failure';
import type { ContentReader } from './content-reader';
import { claimDocument, type ClaimedDocument, nextRemoved } from './due-documents.cross-tenant.sql';
import { dropParts, readPart, type Parts } from './contents.sql';
import { fetchDocument, type Fetched, NotNow } from './fetch-document';
import {
  chunksOfOthers,
  forgetRemoved,
  insertChunks,
  postponeDocument,
  removeAll,
  removeText,
  settleDocument,
} from './processing.sql';

export interface Processing {
  readonly db: Database;
  readonly client: Pick<OutboundClient, 'send'>;
  readonly read: ContentReader;
  readonly log: Logger;
  /** Called with the result: `ready`, the code of the failure, or `lost` if another replica or new content has replaced the claim. */
  readonly settled: (result: string) => void;
  /** Whether only documents of organizations that have none in progress are taken. */
  readonly reserved: boolean;
}

/** Longer than processing can take: 15 s to resolve the address, 30 s to read the content, and the time for writing it. */
const claimSeconds = 180;
/** Maximum number of attempts, so that a document whose processing crashes the process is not retried forever. */
const mostAttempts = 3;
const pauseSeconds = 10;
/** Number of chunks per row of the search index (postings). */
const segment = 200;

/** Processes the next document that is due. @returns false if there is none */
export async function processDocument(processing: Processing, signal: AbortSignal): Promise<boolean> {
  const { db, settled, reserved } = processing;
  const claiming = { claim: randomUUID(), seconds: claimSeconds, reserved };
  const document = await db.transaction(async (tx) => {
    await lockClaims(tx);
    return claimDocument(tx, claiming);
  });
  if (document === undefined) return false;
  try {
    if (document.attempts > mostAttempts)
      throw new ContentFailure('processing_failed', `its processing ended ${mostAttempts} times without a result`);
    const fetched = await loadSource(processing, document, signal);
    const answer = await processing.read(fetched, signal);
    if (signal.aborted) throw signal.reason;
    if ('failure' in answer) throw new ContentFailure(answer.failure.code, answer.failure.detail);
    settled(await keep(db, document, fetched, answer));
  } catch (error) {
    // This replica is stopping: another one can claim the document immediately.
    if (signal.aborted) await postponeDocument(db, document.organization_id, document, 0);
    else if (error instanceof NotNow && document.attempts < mostAttempts)
      await postponeDocument(db, document.organization_id, document, pauseSeconds * document.attempts);
    else if (error instanceof ContentFailure) settled(await refuse(db, document, error));
    else throw error;
  }
  return true;
}

async function loadSource(
  { db, client }: Processing,
  document: ClaimedDocument,
  signal: AbortSignal,
): Promise<Fetched> {
  const {
    organization_id: organizationId,
    document_id: documentId,
    url,
    media_type: mediaType,
    upload_id: uploadId,
  } = document;
  if (url !== null) return fetchDocument(client, url, signal);
  if (uploadId === null || mediaType === null)
    throw new ContentFailure('processing_failed', 'its content no longer exists');
  return { mediaType, content: readParts(db, { organizationId, documentId, uploadId }) };
}

/** Only one part is in memory here; the process that reads the content has all of it. */
async function* readParts(db: Database, parts: Parts): AsyncIterable<Buffer> {
  for (let part = 0; ; part += 1) {
    const content = await readPart(db, parts, part);
    if (content === undefined) return;
    yield content;
  }
}

/** Replaces the document's previous chunks, in one transaction. */
async function keep(
  db: Database,
  document: ClaimedDocument,
  { mediaType }: Fetched,
  { characters, chunks }: { readonly characters: number; readonly chunks: readonly string[] },
): Promise<string> {
  const { organization_id: organizationId } = document;
  return db.transaction(async (tx) => {
    const base = await lockBase(tx, organizationId, document.knowledge_base_id);
    if (base === undefined) return 'lost';
    const full = (await chunksOfOthers(tx, organizationId, document)) + chunks.length > limits.chunksOfBase;
    const failure = full
      ? {
          code: 'base_full' as const,
          detail: `the knowledge base has ${limits.chunksOfBase} chunks, which is the maximum`,
        }
      : undefined;
    const result = { mediaType, failure, characters: full ? 0 : characters, chunks: full ? 0 : chunks.length };
    if (!(await settleDocument(tx, organizationId, document, result))) return 'lost';
    await dropContent(tx, document);
    await removeText(tx, document);
    if (full) return 'base_full';
    for (let first = 0; first < chunks.length; first += segment)
      await insertChunks(
        tx,
        organizationId,
        { ...document, config: base.config },
        first,
        chunks.slice(first, first + segment),
      );
    if (base.embedding_credential !== null) await queueEmbeddings(tx, organizationId, document.knowledge_base_id);
    return 'ready';
  });
}

/** Deletes what was processed, and no upload that is not complete. */
async function dropContent(tx: Queryable, document: ClaimedDocument): Promise<void> {
  const { organization_id: organizationId, document_id: documentId, upload_id: uploadId } = document;
  if (uploadId !== null) await dropParts(tx, { organizationId, documentId, uploadId });
}

async function refuse(db: Database, document: ClaimedDocument, { code, detail }: ContentFailure): Promise<string> {
  return db.transaction(async (tx) => {
    const result = { mediaType: undefined, failure: { code, detail }, characters: 0, chunks: 0 };
    if (!(await settleDocument(tx, document.organization_id, document, result))) return 'lost';
    await dropContent(tx, document);
    await removeText(tx, document);
    return code;
  });
}

/** Deletes the remaining chunks of one deleted document. @returns false if there are none */
export async function removeNext(db: Database): Promise<boolean> {
  return db.transaction(async (tx) => {
    const removed = await nextRemoved(tx);
    if (removed === undefined) return false;
    await removeAll(tx, removed);
    await forgetRemoved(tx, removed);
    return true;
  });
}
