import { type CallTuning, type KnowledgeAnswer, limits, type WorkerKnowledgeQuestion } from '@parley/contract';
import type { KnowledgeServiceServer } from '@parley/proto/knowledge';
import { type CallContext, type GrpcClient, jsonOf, type OutgoingContext, serviceCaller } from '@parley/runtime';
import { conflict } from '@parley/errors';
import { type LeaseInput, lockLease } from '../../books';
import type { Question, Telephony } from '../../telephony';

/** Short, because a caller is waiting for the agent's reply. */
const deadlineMs = 3_000;

/** Client of the knowledge service. */
export class KnowledgeBases {
  constructor(private readonly client: Pick<GrpcClient<KnowledgeServiceServer>, 'ask'>) {}

  /** Queries on behalf of the platform, because a hosted worker's credential gives access to no organization. */
  async ask(question: Question, context: OutgoingContext): Promise<KnowledgeAnswer> {
    const { knowledgeBaseIds } = question;
    const asked = { ...question, knowledgeBaseIds: [...knowledgeBaseIds] };
    const { answer } = await this.client.ask(asked, { ...context, caller: serviceCaller }, { deadlineMs });
    return jsonOf<KnowledgeAnswer>(answer);
  }
}

/**
 * Queries the knowledge bases that the call's agent had when the call began. Organization and knowledge bases come from the call, whose lease authorizes the
 * query. A knowledge base that has been deleted since yields no results.
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
  if (knowledgeBaseIds.length === 0) return { data: [], ranking: 'full_text', embedding_failure: null };
  const { text, limit = limits.knowledgeHits.default } = fields;
  return knowledge.ask({ organizationId: call.organizationId, knowledgeBaseIds, text, limit }, context);
}
