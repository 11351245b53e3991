import { DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { StreamDefinition } from './streams';

/** The JetStream object bucket of recordings, and the stream that stores it. */
export const recordingsBucket = { name: 'RECORDINGS', stream: 'OBJ_RECORDINGS' } as const;

/** A bucket that rejects content that does not fit into `maxBytes`, and never discards content itself: the service that owns the recordings deletes them. */
export const recordingsBucketDefinition = (maxBytes: number, replicas = 1): StreamDefinition => ({
  name: recordingsBucket.stream,
  subjects: [`$O.${recordingsBucket.name}.C.>`, `$O.${recordingsBucket.name}.M.>`],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.New,
  max_age: 0,
  max_msgs: -1,
  max_bytes: maxBytes,
  duplicate_window: 120_000_000_000,
  deny_delete: false,
  num_replicas: replicas,
  allow_rollup_hdrs: true,
  allow_direct: true,
});
