import { LRUCache } from 'lru-cache';
import type { Queryable } from '@parley/runtime';
import { Batcher } from '@parley/service';
import { findAgentViews, type StoredView } from './read-agent.sql';

/** The JSON of one page of agents, with the versions of these agents. */
export interface AnsweredPage {
  readonly versions: string;
  /** Shared between responses: never mutated. */
  readonly page: Buffer;
}

/**
 * Caches pages by query. Each request reads the current versions of the agents on its page and uses the cached page only if they are unchanged, so lists are as
 * current as without the cache (ADR 110).
 */
export type AgentPages = Pick<LRUCache<string, AnsweredPage>, 'get' | 'set'>;

/** Maximum size of all cached pages of a process. */
const mostBytes = 16 * 1024 * 1024;

export const agentPages = (): AgentPages =>
  new LRUCache<string, AnsweredPage>({
    maxSize: mostBytes,
    sizeCalculation: ({ versions, page }, key) => versions.length + page.length + key.length + 256,
  });

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
