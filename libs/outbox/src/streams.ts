import { setTimeout as sleep } from 'node:timers/promises';
import {
  DiscardPolicy,
  JetStreamApiError,
  JetStreamApiCodes,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos, PermissionViolationError, type NatsConnection } from '@nats-io/transport-node';
import type { StreamName } from './event';

/** Provides the process's single NATS connection: the runtime's `Infrastructure.nats`, or a fake in tests. */
export interface NatsSource {
  connection(): Promise<NatsConnection>;
  /** The subject prefix of replies to this process; if absent, the client's default. */
  readonly inboxPrefix?: string;
}

/** How long a stream keeps events; if its store is lost, the events of this period are published again. */
const retentionDays = 7;

/** The part of a stream's configuration that is enforced. It contains only fields that nats-server 2.9 supports, so that they can be read back. */
export type StreamDefinition = Pick<
  StreamConfig,
  | 'name'
  | 'subjects'
  | 'retention'
  | 'storage'
  | 'discard'
  | 'max_age'
  | 'max_msgs'
  | 'max_bytes'
  | 'duplicate_window'
  | 'deny_delete'
  | 'num_replicas'
> &
  Partial<Pick<StreamConfig, 'allow_rollup_hdrs' | 'allow_direct'>>;

function definition(name: StreamName, subjects: string[], replicas: number): StreamDefinition {
  return {
    name,
    subjects,
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    max_age: nanos(retentionDays * 24 * 60 * 60 * 1000),
    max_msgs: -1,
    max_bytes: -1,
    duplicate_window: nanos(10 * 60 * 1000),
    deny_delete: false,
    num_replicas: replicas,
  };
}

const subjects: Readonly<Record<StreamName, string>> = {
  /** `events.v1.<organization_id>.<type>`, with the event types of the contract. */
  EVENTS: 'events.v1.>',
  /** `audit.v1.<organization_id>.<service>`; the service is appended when publishing. */
  AUDIT: 'audit.v1.>',
};

/** The expected configuration of a stream with this number of replicas (1 to 5). More than one requires a cluster of at least as many servers. */
export const streamDefinition = (name: StreamName, replicas = 1): StreamDefinition =>
  definition(name, [subjects[name]], replicas);

/** The streams with one replica each. */
export const streams: Readonly<Record<StreamName, StreamDefinition>> = {
  EVENTS: streamDefinition('EVENTS'),
  AUDIT: streamDefinition('AUDIT'),
};

/** The names of the fields in which a stored configuration differs from the expected one. */
export function differences(wanted: StreamDefinition, stored: Partial<StreamConfig>): string[] {
  const fields = Object.keys(wanted) as (keyof StreamDefinition)[];
  return fields.filter((field) => JSON.stringify(wanted[field]) !== JSON.stringify(stored[field]));
}

/** The operations on a server's streams that are needed here. */
export interface StreamManager {
  readonly streams: Pick<JetStreamManager['streams'], 'info' | 'add' | 'update'>;
}

function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}

/**
 * Whether the error means that the user may not create the stream. Only auth's user may, because a stream's configuration could copy messages of one service to
 * subjects of another.
 */
const isNotPermitted = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof PermissionViolationError;

async function readStreamInfo(jsm: StreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await jsm.streams.info(name);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function create(jsm: StreamManager, wanted: StreamDefinition): Promise<StreamInfo> {
  try {
    // A copy, because the client modifies its argument.
    return await jsm.streams.add({ ...wanted });
  } catch (error) {
    // Another process may have created the stream concurrently.
    const info = await readStreamInfo(jsm, wanted.name);
    if (info !== undefined) return info;
    if (isNotPermitted(error))
      throw new Error(`stream ${wanted.name} does not exist yet; auth creates it`, { cause: error });
    throw error;
  }
}

const makingTakes = { tries: 50, pauseMs: 20 } as const;

/**
 * Waits until a stream is completely created. While a server creates a stream for another process, it already shows the stream, but without its creation time.
 * A consumer created on it at that moment may never work.
 */
async function made(jsm: StreamManager, shown: StreamInfo): Promise<StreamInfo> {
  let info = shown;
  for (let tries = 0; info.created.startsWith('0001-'); tries += 1) {
    if (tries === makingTakes.tries) throw new Error(`stream ${info.config.name} is still being created`);
    await sleep(makingTakes.pauseMs);
    info = await jsm.streams.info(info.config.name);
  }
  return info;
}

/** Checks that enough servers store the stream: a server without a cluster accepts any number of replicas but stores only one. */
function keptByAll(info: StreamInfo, { name, num_replicas: wanted }: StreamDefinition): StreamInfo {
  const keepers = 1 + (info.cluster?.replicas?.length ?? 0);
  if (keepers < wanted) throw new Error(`stream ${name} is stored by ${keepers} of ${wanted} servers`);
  return info;
}

/**
 * Ensures that the stream exists with the expected configuration, and reads the configuration back, because older servers silently drop unknown fields. Returns
 * the stream's state, including its creation time. Throws the server's error, or an Error that names the fields that could not be set, or that states that too
 * few servers store the stream, or that it was not created within a second.
 */
export async function ensureStream(jsm: StreamManager, wanted: StreamDefinition): Promise<StreamInfo> {
  const found = await made(jsm, (await readStreamInfo(jsm, wanted.name)) ?? (await create(jsm, wanted)));
  if (differences(wanted, found.config).length === 0) return keptByAll(found, wanted);
  const updated = await jsm.streams.update(wanted.name, { ...wanted });
  const remaining = differences(wanted, updated.config);
  if (remaining.length > 0) throw new Error(`stream ${wanted.name} keeps other values of: ${remaining.join(', ')}`);
  return keptByAll(updated, wanted);
}
