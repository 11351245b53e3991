import type { Queryable } from '@parley/runtime';
import { Batcher } from '@parley/service';
import { findAgentViews, type StoredView } from './read-agent.sql';

/** Reads agents by organization and id; undefined if the organization does not have the agent. */
export type AgentViews = Batcher<string, StoredView | undefined>;

/** Maximum number of concurrent statements per organization, so that a slow statement does not delay the reads behind it. */
const concurrency = 4;

/** Combines concurrent reads in one statement: the round trip costs more than the rest of a read. */
export const agentViews = (db: Queryable): AgentViews =>
  new Batcher({
    concurrency,
    collects: 'moment',
    async run(organizationId, agentIds) {
      const found = await findAgentViews(db, organizationId, agentIds);
      return agentIds.map((agentId) => ({ value: found.get(agentId) }));
    },
  });
