import { poller, type Logger, type Poller, type Registry } from '@parley/runtime';
import { Counter } from 'prom-client';
import {
  anyUnfinished,
  claimAbandoned,
  claimLeftover,
  type UnfinishedRecording,
} from './unfinished-recordings.cross-tenant.sql';
import { closeRecording, deleteLeftoverParts } from './finish-recordings';
import type { Telephony } from '../../telephony';

const batch = 16;

/** Completes recordings whose worker was lost, and deletes parts and files that belong to no recording. */
export function createRecordingFinisher(
  telephony: Pick<Telephony, 'db' | 'recordings' | 'settings' | 'recordingsWait'>,
  log: Logger,
): Poller {
  const { db, settings } = telephony;
  const each = async (
    claim: () => Promise<UnfinishedRecording | undefined>,
    finish: (needs: typeof telephony, recording: UnfinishedRecording) => Promise<void>,
  ): Promise<void> => {
    // One after another, because each may require reading a whole recording. After a failure, the recording is claimed again later.
    for (let count = 0; count < batch; count += 1) {
      const recording = await claim();
      if (recording === undefined) return;
      await finish(telephony, recording).catch((error: unknown) => {
        log.error({ err: error, call_id: recording.callId }, 'a recording could not be finished');
      });
    }
  };
  const run = async (): Promise<void> => {
    if (!(await anyUnfinished(db))) return;
    await each(() => claimAbandoned(db, settings.recordingGraceSeconds), closeRecording);
    await each(() => claimLeftover(db), deleteLeftoverParts);
  };
  return poller({ name: 'recording-finisher', everyMs: 1_000, run, log });
}

/** All labels are initialized, so that alerts find the series before the first part is refused. */
export function partsRefusedMeter(registry: Registry) {
  const meter = new Counter({
    name: 'parley_recording_parts_rejected_total',
    help: 'Parts and files of recordings that the store did not accept, because it was full or could not be reached',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of ['full', 'unavailable']) meter.inc({ reason }, 0);
  return meter;
}
