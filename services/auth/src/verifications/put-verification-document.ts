import { createHash } from 'node:crypto';
import { verificationMediaTypes } from '@parley/contract';
import { badRequest, internal, notFound } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import type { AuditActor } from '@parley/service';
import { appendAudit } from '../audit';
import { configured, sendTimeoutMs } from './verification-provider';
import {
  afterSending,
  checkContent,
  documentNumberOf,
  withDocument,
  type StoredDocument,
  type VerificationRecord,
} from './verification.rules';
import { lockVerification, writeDocuments } from './verifications.sql';
import { ownVerification, recordState, type VerificationParts } from './verifications';

export interface PutVerificationDocument {
  /** Empty if an operator named no organization. */
  readonly organizationId: string;
  readonly verificationId: string;
  /** As in the path. */
  readonly number: string;
  readonly mediaType: string;
  readonly content: Buffer;
  readonly actor: AuditActor;
}

/** Longer than the request to the provider, so that two requests for one number never overlap. */
const sendingMs = sendTimeoutMs + 10_000;

/**
 * PUT /v1/verifications/{verification_id}/documents/{n}: passes a document on and keeps its hash, size and media type. It is noted before it is sent, so that
 * the quota holds over concurrent requests; if this process dies meanwhile, the document is shown as not received and can be sent again.
 * @throws AppError kyc_provider_error; ConflictError if the verification is decided, the number is in use by another request, or no provider is configured;
 * PayloadTooLargeError; BadRequestError; NotFoundError
 */
export async function putVerificationDocument(
  { db, provider }: VerificationParts,
  { organizationId, verificationId, number, mediaType: named, content, actor }: PutVerificationDocument,
): Promise<VerificationRecord> {
  if (organizationId === '') throw badRequest('organization_id is required: the credential belongs to no organization');
  const mediaType = verificationMediaTypes.find((type) => type === named);
  if (mediaType === undefined) throw internal(new Error(`the gateway accepted ${named}`));
  await ownVerification(db, organizationId, verificationId);
  const n = documentNumberOf(number);
  checkContent(mediaType, content);
  const recipient = configured(provider);
  const sha256 = createHash('sha256').update(content).digest('hex');

  const sending = await db.transaction(async (tx) => {
    const { verification, now } = await locked(tx, organizationId, verificationId);
    const sending_until = new Date(now.getTime() + sendingMs).toISOString();
    const document: StoredDocument = {
      n,
      media_type: mediaType,
      bytes: content.length,
      sha256,
      received_at: null,
      sending_until,
    };
    await writeDocuments(tx, organizationId, verificationId, withDocument(verification, document, now));
    return document;
  });

  const ended = async (tx: Queryable, received: boolean): Promise<void> => {
    const { verification, now } = await locked(tx, organizationId, verificationId);
    const receivedAt = received ? now.toISOString() : null;
    const documents = afterSending(verification.documents, sending, receivedAt);
    await writeDocuments(tx, organizationId, verificationId, documents);
  };
  const state = await recipient
    .send(verificationId, { n, mediaType, sha256, content })
    .catch(async (error: unknown) => {
      await db.transaction((tx) => ended(tx, false));
      throw error;
    });
  await db.transaction(async (tx) => {
    await ended(tx, true);
    const detail = { n, media_type: mediaType, bytes: content.length, sha256 };
    await appendAudit(
      tx,
      { organizationId, action: 'verification.document_sent', subject: verificationId, detail },
      actor,
    );
    await recordState(tx, organizationId, verificationId, state);
  });
  return ownVerification(db, organizationId, verificationId);
}

async function locked(tx: Queryable, organizationId: string, verificationId: string) {
  const found = await lockVerification(tx, organizationId, verificationId);
  if (found === undefined) throw notFound('verification');
  return found;
}
