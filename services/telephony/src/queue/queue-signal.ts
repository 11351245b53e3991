import type { Background, Logger, NatsConnections } from '@parley/runtime';

/** Published by every replica's relay when a call was queued anywhere; a lost signal costs only latency. */
const subject = 'events.v1.*.call.queued';

export interface QueueSignalOptions {
  readonly nats: NatsConnections;
  readonly log: Logger;
  /** A job that can be claimed now may have arrived. */
  readonly onQueued: () => void;
}

/**
 * Tells this process's queue that a job may have come through another replica. It listens to the events as they pass,
 * without a consumer: a lost one costs at most the queue's own poll.
 */
export function createQueueSignal({ nats, log, onQueued }: QueueSignalOptions): Background {
  let close: () => void = () => undefined;
  let stopped = false;
  const listen = async (): Promise<void> => {
    const connection = await nats.connection();
    if (stopped) return;
    const subscription = connection.subscribe(subject, {
      callback: () => onQueued(),
    });
    close = () => subscription.unsubscribe();
  };
  return {
    name: 'queue-signal',
    start() {
      // Waits for an unavailable server without a limit; the start of the service does not wait for this.
      listen().catch((error: unknown) =>
        log.warn({ err: error }, 'no subscription to NATS: queued calls of other replicas are found by polling'),
      );
    },
    async stop() {
      stopped = true;
      close();
    },
  };
}
