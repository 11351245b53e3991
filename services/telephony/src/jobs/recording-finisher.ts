import { poller, type Database, type Logger, type Poller, type Registry } from '@parley/runtime';
import { Counter } from 'prom-client';
import { abandonedRecordings, completeRecordings, type UnfinishedRecording } from '../db/jobs/unfinished-recordings';
import { attachRecording, closeRecording } from '../usecases/recordings/finish-recordings';
import type { Telephony } from '../usecases/telephony';

const batch = 16;

/** Completes recordings whose worker is gone, and attaches complete ones to their calls. */
export function createRecordingFinisher(telephony: Telephony, log: Logger): Poller {
  const { db, settings } = telephony;
  const each = async (
    find: (database: Database) => Promise<UnfinishedRecording[]>,
    finish: (telephony: Telephony, recording: UnfinishedRecording) => Promise<void>,
  ): Promise<void> => {
    // One after the other: each may be the reading of a whole recording. What fails is found again in the next run.
    for (const recording of await find(db)) {
      await finish(telephony, recording).catch((error: unknown) => {
        log.error({ err: error, call_id: recording.callId }, 'a recording could not be finished');
      });
    }
  };
  const run = async (): Promise<void> => {
    await each((database) => abandonedRecordings(database, settings.recordingGraceSeconds, batch), closeRecording);
    await each((database) => completeRecordings(database, batch), attachRecording);
  };
  return poller({ name: 'recording-finisher', everyMs: 1_000, run, log });
}

/** Every reason is there from the start, so that an alert finds the series before the first part is refused. */
export function partsRefusedMeter(registry: Registry) {
  const meter = new Counter({
    name: 'parley_recording_parts_refused_total',
    help: 'Parts of recordings that the store did not take: it was full, or could not be reached',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of ['full', 'unavailable']) meter.inc({ reason }, 0);
  return meter;
}
