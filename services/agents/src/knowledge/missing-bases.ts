import type { Queryable } from '@parley/runtime';
import type { AssignedBases } from '../agents';
import { findAssigned } from './knowledge-bases.sql';

/** The tool query_knowledge may be saved before a base is named; until then it finds nothing. */
export function assignedBases(db: Queryable): AssignedBases {
  return {
    async warnings({ organizationId, agentId }, tools) {
      const index = tools.findIndex(
        (tool) => typeof tool === 'object' && tool.type === 'builtin' && tool.name === 'query_knowledge',
      );
      if (index < 0) return [];
      const assigned = agentId === '' ? undefined : await findAssigned(db, organizationId, agentId);
      if ((assigned?.knowledge_base_ids.length ?? 0) > 0) return [];
      return [`knowledge_base_missing: tools[${index}] finds nothing: the agent has no knowledge base`];
    },
  };
}
