import { jetstreamManager } from '@nats-io/jetstream';
import type { Background, Logger } from '@parley/runtime';
import type { StreamName } from './event';
import { recordingsBucketDefinition } from './recordings-bucket';
import { ensureStream, streamDefinition, streams, type NatsSource } from './streams';
import { Signal } from './signal';

export interface StreamKeeperOptions {
  readonly nats: NatsSource;
  readonly log: Logger;
  /** Replicas of each stream; default 1. The same in every process. */
  readonly replicas?: number;
  /** Size in bytes of the recordings bucket; none if absent or 0. */
  readonly recordingsBytes?: number;
  /** Milliseconds between two checks; default 2000. */
  readonly everyMs?: number;
}

/**
 * Makes the platform's streams where they are missing or configured otherwise. One service runs it: the permission to configure a stream
 * is the permission to copy what is published from any subject to any other.
 */
export function streamKeeper(options: StreamKeeperOptions): Background {
  const { nats, log, replicas, recordingsBytes = 0, everyMs = 2_000 } = options;
  const pause = new Signal();
  let running: Promise<void> | undefined;
  let stopped: () => void = () => undefined;
  const untilStopped = new Promise<undefined>((resolve) => (stopped = () => resolve(undefined)));
  let stopping = false;
  const keep = async (): Promise<void> => {
    // The first connection may never come; stopping must not wait for it.
    const connection = await Promise.race([nats.connection(), untilStopped]);
    if (connection === undefined) return;
    const jsm = await jetstreamManager(connection, { checkAPI: false });
    for (const name of Object.keys(streams) as StreamName[]) await ensureStream(jsm, streamDefinition(name, replicas));
    // Last: a server without enough space must not prevent the creation of the streams.
    if (recordingsBytes > 0) await ensureStream(jsm, recordingsBucketDefinition(recordingsBytes, replicas));
  };
  const run = async (): Promise<void> => {
    let failing = false;
    while (!stopping) {
      try {
        await keep();
        failing = false;
      } catch (error) {
        // One log line per outage, not one per check.
        if (!failing) log.warn({ err: error }, 'the streams could not be looked after; trying again');
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
