import type { KnowledgeServiceServer } from '@parley/proto/knowledge';
import type { GrpcClient, OutgoingContext } from '@parley/runtime';

/** knowledge as this service sees it. */
export class Knowledge {
  constructor(private readonly client: Pick<GrpcClient<KnowledgeServiceServer>, 'findBases'>) {}

  /** Those of the ids that the project has. */
  async owned(
    { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
    ids: readonly string[],
    context: OutgoingContext,
  ): Promise<readonly string[]> {
    const question = { organizationId, projectId, knowledgeBaseIds: [...ids] };
    return (await this.client.findBases(question, context)).knowledgeBaseIds;
  }
}
