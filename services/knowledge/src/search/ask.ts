import { limits, type KnowledgeAnswer, type KnowledgeQuestion } from '@parley/contract';
import { forbidden, notFound } from '@parley/errors';
import type { Queryable } from '@parley/runtime';
import { findBase, ownerOfBase } from '../bases';
import { searchChunks } from './search.sql';

export interface AskBase {
  readonly organizationId: string;
  readonly knowledgeBaseId: string;
  readonly body: () => KnowledgeQuestion;
}

/** POST /v1/knowledge-bases/{knowledge_base_id}/query. */
export async function askBase(db: Queryable, request: AskBase): Promise<KnowledgeAnswer> {
  const { knowledgeBaseId } = request;
  const organizationId = await ownerOfBase(db, request.organizationId, knowledgeBaseId);
  const base = await findBase(db, organizationId, knowledgeBaseId);
  if (base === undefined) throw notFound('knowledge base');
  const { organization_id = organizationId, project_id = base.project_id, text } = request.body();
  if (organization_id !== organizationId) throw forbidden();
  if (project_id !== base.project_id) throw forbidden('project_id is not the project of the knowledge base');
  const { limit = limits.knowledgeHits.default } = request.body();
  return askBases(db, organizationId, [knowledgeBaseId], text, limit);
}

/** Returns the chunks of several knowledge bases that match a query. Deleted knowledge bases and those of other organizations are ignored. */
export async function askBases(
  db: Queryable,
  organizationId: string,
  knowledgeBaseIds: readonly string[],
  text: string,
  limit: number,
): Promise<KnowledgeAnswer> {
  const found = await searchChunks(db, organizationId, knowledgeBaseIds, text, limit);
  return { data: found.map((one) => ({ ...one, score: Math.round(one.score * 10_000) / 10_000 })) };
}
