import type { Queryable } from '@parley/runtime';

/** Returns the organization that owns a knowledge base, for an operator who named none. The result contains nothing but the owner. */
export async function findBaseOwner(db: Queryable, knowledgeBaseId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'base-owner',
    text: 'select organization_id from knowledge_bases where knowledge_base_id = $1',
    values: [knowledgeBaseId],
  });
  return rows[0]?.organization_id;
}

/** For each route that creates a record: a condition that the record still exists. Its stored response is kept as long. */
export const recordExists: Readonly<Record<string, string>> = {
  kb: 'exists (select 1 from knowledge_bases where knowledge_base_id = idempotency.record_id)',
  doc: 'exists (select 1 from documents where document_id = idempotency.record_id)',
};
