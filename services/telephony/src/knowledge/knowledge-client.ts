import type { KnowledgeAnswer } from '@parley/contract';
import type { KnowledgeServiceServer } from '@parley/proto/knowledge';
import { jsonOf, serviceCaller, type GrpcClient, type OutgoingContext } from '@parley/runtime';

export interface Question {
  readonly organizationId: string;
  readonly knowledgeBaseIds: readonly string[];
  readonly text: string;
  readonly limit: number;
}

/** A caller waits for the answer. */
const deadlineMs = 3_000;

/** knowledge as this service sees it. */
export class KnowledgeBases {
  constructor(private readonly client: Pick<GrpcClient<KnowledgeServiceServer>, 'ask'>) {}

  /** Asked by the platform: a hosted worker's credential reaches no organization. */
  async ask(question: Question, context: OutgoingContext): Promise<KnowledgeAnswer> {
    const { knowledgeBaseIds } = question;
    const asked = { ...question, knowledgeBaseIds: [...knowledgeBaseIds] };
    const { answer } = await this.client.ask(asked, { ...context, caller: serviceCaller }, { deadlineMs });
    return jsonOf<KnowledgeAnswer>(answer);
  }
}
