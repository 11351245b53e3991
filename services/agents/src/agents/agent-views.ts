import type { Queryable } from '@parley/runtime';
import { Batcher } from '@parley/service';
import { findAgentViews, type StoredView } from './read-agent.sql';

/** Reads of agents by organization and id; undefined for an agent that the organization does not have. */
export type AgentViews = Batcher<string, StoredView | undefined>;

/** Statements of an organization that run at once: a slow one does not hold up the reads behind it. */
const concurrency = 4;

/** Reads that arrive together in one statement: the round trip of a statement costs more than the rest of a read. */
export const agentViews = (db: Queryable): AgentViews =>
  new Batcher({
    concurrency,
    collects: 'moment',
    async run(organizationId, agentIds) {
      const found = await findAgentViews(db, organizationId, agentIds);
      return agentIds.map((agentId) => ({ value: found.get(agentId) }));
    },
  });
