import type { Queryable } from '@parley/runtime';

/** Where the parts of an upload are. */
export interface Parts {
  readonly organizationId: string;
  readonly documentId: string;
  readonly uploadId: string;
}

const valuesOf = ({ organizationId, documentId, uploadId }: Parts): string[] => [organizationId, documentId, uploadId];

/** @returns false if the document does not exist */
export async function putPart(db: Queryable, parts: Parts, part: number, content: Buffer): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'content-part-put',
    text: `insert into document_contents (organization_id, document_id, upload_id, part, content)
           select organization_id, document_id, $3, $4, $5 from documents where organization_id = $1 and document_id = $2
           on conflict (organization_id, document_id, upload_id, part) do update set content = excluded.content`,
    values: [...valuesOf(parts), part, content],
  });
  return rowCount === 1;
}

export async function countParts(tx: Queryable, parts: Parts): Promise<number> {
  const { rows } = await tx.query<{ count: string }>({
    name: 'content-parts-count',
    text: 'select count(*) from document_contents where organization_id = $1 and document_id = $2 and upload_id = $3',
    values: valuesOf(parts),
  });
  return Number(rows[0]?.count ?? 0);
}

export async function readPart(db: Queryable, parts: Parts, part: number): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ content: Buffer }>({
    name: 'content-part-read',
    text: `select content from document_contents
           where organization_id = $1 and document_id = $2 and upload_id = $3 and part = $4`,
    values: [...valuesOf(parts), part],
  });
  return rows[0]?.content;
}

/** Deletes the parts of an upload, unless they are the content of the document. */
export async function dropParts(db: Queryable, parts: Parts): Promise<void> {
  await db.query({
    name: 'content-parts-drop',
    text: `delete from document_contents where organization_id = $1 and document_id = $2 and upload_id = $3
             and not exists (select from documents where organization_id = $1 and document_id = $2 and upload_id = $3)`,
    values: valuesOf(parts),
  });
}

/** Deletes the content of a document that waits for its processing, but no upload that is not complete. */
export async function removeContent(tx: Queryable, organizationId: string, documentId: string): Promise<void> {
  await tx.query({
    name: 'content-remove',
    text: `delete from document_contents c using documents d
           where d.organization_id = $1 and d.document_id = $2 and c.organization_id = $1 and c.document_id = $2 and c.upload_id = d.upload_id`,
    values: [organizationId, documentId],
  });
}
