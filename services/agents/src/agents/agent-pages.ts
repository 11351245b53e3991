import { LRUCache } from 'lru-cache';

/** A page of agents as it was answered, with the versions that it shows. */
export interface AnsweredPage {
  readonly versions: string;
  /** Shared by answers: never written to. */
  readonly page: Buffer;
}

/**
 * Pages by what was asked for. None is an answer by itself: each request reads the versions that its page shows now, and takes the page from here where they are
 * the same, so that reads and lists are as fresh as without (ADR 110).
 */
export type AgentPages = Pick<LRUCache<string, AnsweredPage>, 'get' | 'set'>;

/** Bytes of all pages of a process. */
const mostBytes = 16 * 1024 * 1024;

export const agentPages = (): AgentPages =>
  new LRUCache<string, AnsweredPage>({
    maxSize: mostBytes,
    sizeCalculation: ({ versions, page }, key) => versions.length + page.length + key.length + 256,
  });
