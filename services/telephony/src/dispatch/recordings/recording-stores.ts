import type { NatsConnections } from '@parley/runtime';
import type { TelephonyConfig } from '../../config';
import { JetStreamRecordingStore } from './jetstream-store';
import { S3RecordingStore } from './s3-store';
import type { RecordingStore } from '../../telephony';

/** The recording store of this deployment. */
export function recordingStoreOf(config: TelephonyConfig, nats: NatsConnections): RecordingStore {
  if (config.recordingsStore === 'jetstream') return new JetStreamRecordingStore(nats);
  return new S3RecordingStore({
    endpoint: config.recordingsS3Endpoint,
    region: config.recordingsS3Region,
    bucket: config.recordingsS3Bucket,
    accessKeyId: config.recordingsS3AccessKeyId,
    secretAccessKey: config.recordingsS3SecretAccessKey,
  });
}
