import type { Queryable } from '@parley/runtime';
import { Batcher } from '@parley/service';
import { findAgentViews, type StoredView } from './read-agent.sql';

/** Reads agents by organization and id; undefined if the organization does not have the agent. */
export type AgentViews = Batcher<string, StoredView | undefined>;

/** Maximum concurrent statements of an organization: a slow one does not delay the reads behind it. */
const concurrency = 4;

/** Batches concurrent reads in one statement: the round trip costs more than the rest of a read. */
export const agentViews = (db: Queryable): AgentViews =>
  new Batcher({
    concurrency,
    collects: 'moment',
    async run(organizationId, agentIds) {
      const found = await findAgentViews(db, organizationId, agentIds);
      return agentIds.map((agentId) => ({ value: found.get(agentId) }));
    },
  });
