import { LRUCache } from 'lru-cache';

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
