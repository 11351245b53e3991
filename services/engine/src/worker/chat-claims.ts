import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerCapabilities, WorkerJob } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import type { LiveCall } from './live-call';
import type { Platform } from './platform';

export interface ChatClaimsOptions {
  readonly claim: Platform['claim'];
  /** The fields that all claims of this process contain, except their capacity. */
  readonly about: () => Omit<Parameters<Platform['claim']>[0], 'kinds' | 'capacity' | 'capabilities'>;
  /** The capabilities for chats. The platform gives only matching chats to this worker. */
  readonly capabilities: WorkerCapabilities;
  /** Maximum number of concurrent chats. */
  readonly capacity: number;
  readonly take: (job: WorkerJob) => LiveCall;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

const mostAtOnce = 20;
const retryMs = { first: 100, most: 5_000 } as const;

/** Claims chats. They need no call slot, because they have no audio. */
export class ChatClaims {
  private readonly chats = new Set<LiveCall>();
  private onRoom: (() => void) | undefined;

  constructor(private readonly options: ChatClaimsOptions) {
    options.signal.addEventListener('abort', () => this.onRoom?.(), { once: true });
  }

  get live(): number {
    return this.chats.size;
  }

  async run(): Promise<void> {
    const { signal, log } = this.options;
    let retryInMs: number = retryMs.first;
    while (!signal.aborted) {
      if (this.room <= 0) {
        await new Promise<void>((resolve) => (this.onRoom = resolve));
        continue;
      }
      try {
        await this.claim();
        retryInMs = retryMs.first;
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error, retry_in_ms: retryInMs }, 'claiming chats failed; retrying');
        await pause(retryInMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
        retryInMs = Math.min(retryInMs * 2, retryMs.most);
      }
    }
  }

  private get room(): number {
    return Math.min(mostAtOnce, this.options.capacity - this.chats.size);
  }

  private async claim(): Promise<void> {
    const { claim, about, capabilities, take, log } = this.options;
    const { jobs } = await claim({ ...about(), kinds: ['call'], capacity: this.room, capabilities });
    for (const job of jobs) {
      try {
        this.keep(take(job));
      } catch (error) {
        // The lease of the unreadable chat expires by itself; the other claimed chats are conducted.
        log.error({ err: error, job_id: job.job_id }, 'a claimed chat is invalid');
      }
    }
  }

  private keep(chat: LiveCall): void {
    this.chats.add(chat);
    chat.done
      .finally(() => {
        this.chats.delete(chat);
        this.onRoom?.();
      })
      .catch((error: unknown) => this.options.log.error({ err: error }, 'a chat could not be released'));
  }
}
