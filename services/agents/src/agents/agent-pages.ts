import { LRUCache } from 'lru-cache';

/** A rendered page of agents, with the versions that it shows. */
export interface AnsweredPage {
  readonly versions: string;
  /** Shared between responses: never mutated. */
  readonly page: Buffer;
}

/**
 * Cached pages by query. Each request reads the current versions of its page, and uses the cached page if they are equal, so that reads and lists are as fresh
 * as without the cache (ADR 110).
 */
export type AgentPages = Pick<LRUCache<string, AnsweredPage>, 'get' | 'set'>;

/** Maximum bytes of all cached pages of a process. */
const mostBytes = 16 * 1024 * 1024;

export const agentPages = (): AgentPages =>
  new LRUCache<string, AnsweredPage>({
    maxSize: mostBytes,
    sizeCalculation: ({ versions, page }, key) => versions.length + page.length + key.length + 256,
  });
