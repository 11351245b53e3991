import { DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import type { StreamDefinition } from './streams';

/** The JetStream object bucket of recordings, and the stream behind it. */
export const recordingsBucket = { name: 'RECORDINGS', stream: 'OBJ_RECORDINGS' } as const;

/** A bucket that rejects what does not fit into `maxBytes` and discards nothing by itself: retention is up to the recordings' owner. */
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
