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

/** A source of the process's single NATS connection: the runtime's `Infrastructure.nats`, or a test. */
export interface NatsSource {
  connection(): Promise<NatsConnection>;
  /** Where replies to this process may arrive; the client's default if absent. */
  readonly inboxPrefix?: string;
}

/** Retention of events in a stream, and so the period for which a lost store is published again. */
const retentionDays = 7;

/** The part of a stream's configuration that is asserted: only what nats-server 2.9 supports, so that it can be read back. */
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
  /** `events.v1.<organization_id>.<type>` for the event types of the contract. */
  EVENTS: 'events.v1.>',
  /** `audit.v1.<organization_id>.<service>` for audit events; the service is appended on publishing. */
  AUDIT: 'audit.v1.>',
};

/** The expected definition of a stream with this number of replicas (1 to 5); more than one needs a cluster of at least as many servers. */
export const streamDefinition = (name: StreamName, replicas = 1): StreamDefinition =>
  definition(name, [subjects[name]], replicas);

/** The streams with one replica. */
export const streams: Readonly<Record<StreamName, StreamDefinition>> = {
  EVENTS: streamDefinition('EVENTS'),
  AUDIT: streamDefinition('AUDIT'),
};

/** The names of fields in which a stored configuration differs from the expected one. */
export function differences(wanted: StreamDefinition, stored: Partial<StreamConfig>): string[] {
  const fields = Object.keys(wanted) as (keyof StreamDefinition)[];
  return fields.filter((field) => JSON.stringify(wanted[field]) !== JSON.stringify(stored[field]));
}

/** The operations needed on a server's streams. */
export interface StreamManager {
  readonly streams: Pick<JetStreamManager['streams'], 'info' | 'add' | 'update'>;
}

function isMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}

/** Only auth's user may create a stream: its configuration could copy what one service publishes to subjects of another. */
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
    // Another process may have created it concurrently.
    const info = await readStreamInfo(jsm, wanted.name);
    if (info !== undefined) return info;
    if (isNotPermitted(error)) throw new Error(`stream ${wanted.name} is missing, and auth makes it`, { cause: error });
    throw error;
  }
}

const makingTakes = { tries: 50, pauseMs: 20 } as const;

/**
 * A server shows a stream already while it is making it for another process, without its time of creation: what is made on it in
 * that moment may never work.
 */
async function made(jsm: StreamManager, shown: StreamInfo): Promise<StreamInfo> {
  let info = shown;
  for (let tries = 0; info.created.startsWith('0001-'); tries += 1) {
    if (tries === makingTakes.tries) throw new Error(`stream ${info.config.name} is still being made`);
    await sleep(makingTakes.pauseMs);
    info = await jsm.streams.info(info.config.name);
  }
  return info;
}

/** A server without a cluster accepts any number of replicas but keeps a single one. */
function keptByAll(info: StreamInfo, { name, num_replicas: wanted }: StreamDefinition): StreamInfo {
  const keepers = 1 + (info.cluster?.replicas?.length ?? 0);
  if (keepers < wanted) throw new Error(`stream ${name} is kept by ${keepers} of ${wanted} servers`);
  return info;
}

/**
 * Makes sure that the stream exists and is configured as wanted, and reads the configuration back: an older server
 * silently drops fields that it does not know. Returns its state, the creation time included.
 * Errors: the server's own; an Error naming the fields that could not be brought to the wanted value, or telling that fewer
 * servers keep the stream than are wanted, or that it was not made within a second.
 */
export async function ensureStream(jsm: StreamManager, wanted: StreamDefinition): Promise<StreamInfo> {
  const found = await made(jsm, (await readStreamInfo(jsm, wanted.name)) ?? (await create(jsm, wanted)));
  if (differences(wanted, found.config).length === 0) return keptByAll(found, wanted);
  const updated = await jsm.streams.update(wanted.name, { ...wanted });
  const remaining = differences(wanted, updated.config);
  if (remaining.length > 0) throw new Error(`stream ${wanted.name} keeps other values of: ${remaining.join(', ')}`);
  return keptByAll(updated, wanted);
}
