import { limits, type CallTuning, type KnowledgeAnswer, type WorkerKnowledgeQuestion } from '@parley/contract';
import { conflict } from '@parley/errors';
import type { CallContext } from '@parley/runtime';
import { lockLease, type LeaseInput } from '../queue';
import type { Telephony } from '../telephony';

/**
 * What the knowledge bases say that the agent of a call had when the call began. Organization and bases are those of the call, whose lease authorizes the
 * question; one that was deleted since holds nothing.
 * @throws AppError NotFoundError; BadRequestError; ConflictError for a stale epoch, another worker's lease, a call that is over, and an agent without the tool
 */
export async function queryKnowledge(
  { db, knowledge }: Pick<Telephony, 'db' | 'knowledge'>,
  input: LeaseInput<WorkerKnowledgeQuestion>,
  context: CallContext,
): Promise<KnowledgeAnswer> {
  const { call, fields } = await db.transaction((tx) => lockLease(tx, input));
  const { tools, knowledge_base_ids: knowledgeBaseIds = [] } = JSON.parse(call.tuning) as CallTuning;
  if (!tools.some((tool) => typeof tool === 'object' && tool.type === 'builtin' && tool.name === 'query_knowledge'))
    throw conflict('the agent of the call has no tool query_knowledge');
  if (knowledgeBaseIds.length === 0) return { data: [] };
  const { text, limit = limits.knowledgeHits.default } = fields;
  return knowledge.ask({ organizationId: call.organizationId, knowledgeBaseIds, text, limit }, context);
}
