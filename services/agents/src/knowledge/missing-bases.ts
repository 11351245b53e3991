import type { GrpcClient, OutgoingContext, Queryable } from '@parley/runtime';
import type { KnowledgeServiceServer } from '@parley/proto/knowledge';
import type { AssignedBases } from '../agents';
import { findAssigned } from './knowledge-bases.sql';

/** Client of the service `knowledge`. */
export class Knowledge {
  constructor(private readonly client: Pick<GrpcClient<KnowledgeServiceServer>, 'findBases'>) {}

  /** Returns the ids that belong to knowledge bases of the project. */
  async owned(
    { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
    ids: readonly string[],
    context: OutgoingContext,
  ): Promise<readonly string[]> {
    const question = { organizationId, projectId, knowledgeBaseIds: [...ids] };
    return (await this.client.findBases(question, context)).knowledgeBaseIds;
  }
}

/** Warns about the tool query_knowledge of an agent without knowledge bases. The tool can be saved, but finds nothing until one is assigned. */
export function assignedBases(db: Queryable): AssignedBases {
  return {
    async warnings({ organizationId, agentId }, tools) {
      const index = tools.findIndex(
        (tool) => typeof tool === 'object' && tool.type === 'builtin' && tool.name === 'query_knowledge',
      );
      if (index < 0) return [];
      const assigned = agentId === '' ? undefined : await findAssigned(db, organizationId, agentId);
      if ((assigned?.knowledge_base_ids.length ?? 0) > 0) return [];
      return [`knowledge_base_missing: tools[${index}] finds nothing, because the agent has no knowledge base`];
    },
  };
}
