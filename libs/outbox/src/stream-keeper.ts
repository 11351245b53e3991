import { jetstreamManager } from '@nats-io/jetstream';
import type { Background, Logger } from '@parley/runtime';
import type { StreamName } from './event';
import { recordingsBucketDefinition } from './recordings-bucket';
import { ensureStream, streamDefinition, streams, type NatsSource } from './streams';
import { Signal } from './signal';

export interface StreamKeeperOptions {
  readonly nats: NatsSource;
  readonly log: Logger;
  /** Number of replicas of each stream; default 1. Must be the same in all processes. */
  readonly replicas?: number;
  /** Maximum size of the recordings bucket in bytes; absent or 0: no bucket is created. */
  readonly recordingsBytes?: number;
  /** Milliseconds between two checks; default 2000. */
  readonly everyMs?: number;
}

/**
 * Creates the platform's streams, and corrects their configuration if it differs. Only one service runs it, because the permission to configure a stream would
 * allow copying messages from any subject to any other.
 */
export function streamKeeper(options: StreamKeeperOptions): Background {
  const { nats, log, replicas, recordingsBytes = 0, everyMs = 2_000 } = options;
  const pause = new Signal();
  let running: Promise<void> | undefined;
  let stopped: () => void = () => undefined;
  const untilStopped = new Promise<undefined>((resolve) => (stopped = () => resolve(undefined)));
  let stopping = false;
  const keep = async (): Promise<void> => {
    // The first connection may never be established; `stop` must not wait for it.
    const connection = await Promise.race([nats.connection(), untilStopped]);
    if (connection === undefined) return;
    const jsm = await jetstreamManager(connection, { checkAPI: false });
    for (const name of Object.keys(streams) as StreamName[]) await ensureStream(jsm, streamDefinition(name, replicas));
    // Done last, so that a server without enough space for it does not prevent the creation of the streams.
    if (recordingsBytes > 0) await ensureStream(jsm, recordingsBucketDefinition(recordingsBytes, replicas));
  };
  const run = async (): Promise<void> => {
    let failing = false;
    while (!stopping) {
      try {
        await keep();
        failing = false;
      } catch (error) {
        // Logged once per outage instead of once per check.
        if (!failing) log.warn({ err: error }, 'the streams could not be checked; trying again');
        failing = true;
      }
      if (!stopping) await pause.wait(everyMs);
    }
  };
  return {
    name: 'stream-keeper',
    start: () => void (running ??= run()),
    stop: async () => {
      stopping = true;
      stopped();
      pause.signal();
      await running;
    },
  };
}
