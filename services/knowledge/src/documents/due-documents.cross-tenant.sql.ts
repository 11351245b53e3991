import type { DocumentMediaType } from '@parley/contract';
import type { Queryable } from '@parley/runtime';

/** A document that this replica may process until its claim expires. */
export interface ClaimedDocument {
  readonly organization_id: string;
  readonly document_id: string;
  readonly knowledge_base_id: string;
  readonly url: string | null;
  readonly media_type: DocumentMediaType | null;
  readonly upload_id: string | null;
  /** How many times its processing was started, including this time. */
  readonly attempts: number;
  readonly claim: string;
}

/**
 * Claims the document that has waited longest. Organizations without a document in progress come first, so that many documents of one organization do not delay
 * those of others. An expired claim is taken over. The caller holds the lock of claims.
 * @param reserved only a document of an organization that has none in progress
 */
export async function claimDocument(
  tx: Queryable,
  { claim, seconds, reserved }: { readonly claim: string; readonly seconds: number; readonly reserved: boolean },
): Promise<ClaimedDocument | undefined> {
  const { rows } = await tx.query<ClaimedDocument>({
    name: 'document-claim',
    text: `with due as (
             select document_id from documents d, lateral (select exists (select from documents busy where busy.status = 'processing'
                 and busy.organization_id = d.organization_id and busy.claimed_until > now()) as busy) as others
             where status = 'processing' and claimed_until < now() and not (busy and $3::boolean)
             order by busy, updated_at limit 1 for update of d skip locked
           )
           update documents set claim = $1, claimed_until = now() + make_interval(secs => $2::integer), attempts = attempts + 1
           from due where documents.document_id = due.document_id
           returning documents.organization_id, documents.document_id, knowledge_base_id, url, media_type, upload_id, attempts, claim`,
    values: [claim, seconds, reserved],
  });
  return rows[0];
}

/** Returns the next deleted document that still has chunks. Waits if another replica is deleting it. */
export async function nextRemoved(
  db: Queryable,
): Promise<{ readonly organization_id: string; readonly document_id: string } | undefined> {
  const { rows } = await db.query<{ organization_id: string; document_id: string }>({
    name: 'removed-next',
    text: `select organization_id, document_id from removed_documents order by removed_at limit 1 for update skip locked`,
  });
  return rows[0];
}

/** Deletes parts of uploads that broke off. No upload takes 15 minutes. */
export async function removeStaleParts(db: Queryable): Promise<void> {
  await db.query({
    name: 'content-parts-stale',
    text: `delete from document_contents c where sent_at < now() - interval '15 minutes'
             and not exists (select from documents d where d.document_id = c.document_id and d.upload_id = c.upload_id)`,
    values: [],
  });
}

/** Returns the organization that owns a document, for an operator who named none. The result contains nothing but the owner. */
export async function findDocumentOwner(db: Queryable, documentId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'document-owner',
    text: 'select organization_id from documents where document_id = $1',
    values: [documentId],
  });
  return rows[0]?.organization_id;
}
