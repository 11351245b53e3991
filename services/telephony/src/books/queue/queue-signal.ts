import type { Background, Logger, NatsConnections } from '@parley/runtime';

/** Published by the outbox relay of any replica when a call is queued. If a signal is lost, the call is only found later. */
const subject = 'events.v1.*.call.queued';

export interface QueueSignalOptions {
  readonly nats: NatsConnections;
  readonly log: Logger;
  /** Called when a claimable job may have been enqueued. */
  readonly onQueued: () => void;
}

/**
 * Notifies this process's job queue when another replica may have enqueued a job. It subscribes to the events without a durable consumer: if one is lost, the
 * job is found by the queue's own polling.
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
      // Waits without a limit for an unavailable server; the service starts without waiting for this.
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
