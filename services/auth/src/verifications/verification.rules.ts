import {
  limits,
  verificationStatuses,
  type VerificationKind,
  type VerificationMediaType,
  type VerificationRecord as VerificationView,
  type VerificationStatus,
} from '@parley/contract';
import { AppError, badRequest, conflict, invalidField } from '@parley/errors';

/** A document as it is stored: what was passed on, without its content. */
export interface StoredDocument {
  readonly n: number;
  readonly media_type: VerificationMediaType;
  readonly bytes: number;
  readonly sha256: string;
  readonly received_at: string | null;
  /** Until when the request that passes it on may be in progress (ISO 8601); null: none is. It also identifies that request. */
  readonly sending_until: string | null;
}

export interface VerificationRecord {
  readonly verificationId: string;
  readonly organizationId: string;
  readonly kind: VerificationKind;
  readonly status: VerificationStatus;
  readonly reason: string | null;
  readonly documents: readonly StoredDocument[];
  readonly createdAt: string;
  readonly checkedAt: string;
}

export const verificationView = (verification: VerificationRecord): VerificationView => ({
  verification_id: verification.verificationId,
  organization_id: verification.organizationId,
  kind: verification.kind,
  status: verification.status,
  reason: verification.reason,
  documents: verification.documents.map(({ sending_until: _, ...document }) => document),
  created_at: verification.createdAt,
  checked_at: verification.checkedAt,
});

/** What the provider states of a verification. */
export interface ProviderState {
  readonly status: VerificationStatus;
  readonly reason: string | null;
}

const longestReason = 500;

/** @returns undefined if it is not what the protocol defines (docs/verification.md) */
export function stateOf(answer: unknown): ProviderState | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { status: stated, reason = null } = answer as { readonly status?: unknown; readonly reason?: unknown };
  const status = verificationStatuses.find((one) => one === stated);
  if (status === undefined || (reason !== null && typeof reason !== 'string')) return undefined;
  // PostgreSQL cannot store U+0000, and a cut may not leave half of a surrogate pair.
  const text = reason?.replaceAll('\0', '').slice(0, longestReason).toWellFormed() ?? '';
  return { status, reason: text === '' ? null : text };
}

const signatures: Readonly<Record<VerificationMediaType, Buffer>> = {
  'application/pdf': Buffer.from('%PDF-'),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
};

/** The number in the path. @throws AppError BadRequestError */
export function documentNumberOf(text: string): number {
  const most = limits.verificationDocuments;
  const number = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  if (number === 0) throw invalidField('n', 'format', `must be an integer from 1 to ${most}`);
  if (number > most) throw invalidField('n', 'too_large', `must be at most ${most}`);
  return number;
}

/** @throws AppError BadRequestError if the content is not what its media type says; PayloadTooLargeError */
export function checkContent(mediaType: VerificationMediaType, content: Buffer): void {
  if (content.length > limits.documentBytes)
    throw new AppError('PayloadTooLargeError', `the document is larger than ${limits.documentBytes} bytes`);
  const signature = signatures[mediaType];
  if (!content.subarray(0, signature.length).equals(signature)) throw badRequest(`the content is not ${mediaType}`);
}

/**
 * The documents with one that is about to be passed on, which replaces the one with its number.
 * @param now the clock of the database
 * @throws AppError ConflictError if the verification is decided, or a request with this number is in progress; PayloadTooLargeError beyond the quota
 */
export function withDocument(
  { status, documents }: Pick<VerificationRecord, 'status' | 'documents'>,
  document: StoredDocument,
  now: Date,
): StoredDocument[] {
  if (status !== 'pending') throw conflict(`the verification is ${status}`);
  const earlier = documents.find(({ n }) => n === document.n);
  if (earlier !== undefined && earlier.sending_until !== null && new Date(earlier.sending_until) > now)
    throw conflict(`document ${document.n} is being forwarded by another request`);
  const others = documents.filter(({ n }) => n !== document.n);
  const total = others.reduce((sum, { bytes }) => sum + bytes, document.bytes);
  if (total > limits.verificationBytes) {
    const message = `the documents of a verification must not exceed ${limits.verificationBytes} bytes in total`;
    throw new AppError('PayloadTooLargeError', message);
  }
  return [...others, document].sort((one, other) => one.n - other.n);
}

/** The documents after a request has ended. One that another request has replaced meanwhile stays as it is. */
export const afterSending = (
  documents: readonly StoredDocument[],
  sent: StoredDocument,
  receivedAt: string | null,
): StoredDocument[] =>
  documents.map((one) =>
    one.n === sent.n && one.sending_until === sent.sending_until && one.sha256 === sent.sha256
      ? { ...one, received_at: receivedAt, sending_until: null }
      : one,
  );
